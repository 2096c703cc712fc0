#include "estimator/code/pipe.h"

#include <algorithm>
#include <initializer_list>

namespace tilelab::estimator {

Pipe pipe_of(std::string_view name, const Instruction& one) {
  const auto one_of = [&](std::initializer_list<std::string_view> names) {
    return std::ranges::find(names, name) != names.end();
  };
  if (name == "IMAD") return one.has("MOV") ? Pipe::fma : Pipe::fma_heavy;
  if (one_of({"FFMA", "FADD", "FMUL", "HFMA2", "HADD2", "HMUL2"})) return Pipe::fma;
  if (one_of({"DFMA", "DADD", "DMUL", "DSETP"})) return Pipe::fp64;
  if (one_of({"MUFU", "F2I", "I2F", "F2F", "FRND", "POPC", "FLO", "BREV"})) return Pipe::xu;
  if (one_of({"LDG", "LD", "LDL", "LDS", "LDSM", "LDGSTS", "STG", "ST", "STL", "STS", "ATOM",
              "ATOMG", "ATOMS", "RED", "REDG", "SHFL", "MATCH"})) {
    return Pipe::lsu;
  }
  if (one_of({"LDC", "BAR", "S2R", "S2UR", "R2UR", "VOTEU", "MEMBAR"})) return Pipe::adu;
  if (one_of(
          {"BRA", "BRX", "BSSY", "BSYNC", "BREAK", "CALL", "RET", "EXIT", "WARPSYNC", "YIELD"})) {
    return Pipe::cbu;
  }
  if (name.starts_with("U")) return Pipe::uniform;
  if (one_of({"NOP", "LDGDEPBAR", "DEPBAR", "CS2R", "ERRBAR", "CGAERRBAR", "CCTL", "FENCE",
              "PREEXIT", "ACQBULK"})) {
    return Pipe::other;
  }
  return Pipe::alu;
}

}  // namespace tilelab::estimator
