#include <bit>

#include "estimator/warp.h"

namespace tilelab::estimator {

namespace {

/// The lane that a shuffle reads, or -1 if that is outside its segment.
int shuffled_from(const Instruction& one, int lane, std::uint32_t by, std::uint32_t limits) {
  const auto clamp = static_cast<int>(limits & 31U);
  const auto segment = static_cast<int>(limits >> 8U & 31U);
  const int highest = (lane & segment) | (clamp & ~segment);
  const auto step = static_cast<int>(by & 31U);
  if (one.has("UP")) return lane - step >= highest ? lane - step : -1;
  if (one.has("DOWN")) return lane + step <= highest ? lane + step : -1;
  if (one.has("BFLY")) return (lane ^ step) <= highest ? lane ^ step : -1;
  const int lowest = lane & segment;
  const int wanted = lowest | (step & ~segment);
  return wanted <= highest ? wanted : -1;
}

}  // namespace

/// Executes what lanes of a warp do together.
bool Warp::execute_across(const Instruction& one, Mask active, Mask here, Step& made) {
  const auto& operands = one.operands;
  switch (one.operation) {
    case Operation::SHFL: {
      const Lanes from = bits(operands[2]), by = bits(operands[3]), limits = bits(operands[4]);
      Lanes values{};
      Mask is_inside = 0;
      for (std::uint32_t i = 0; i < 32; ++i) {
        const int source = shuffled_from(one, static_cast<int>(i), by[i], limits[i]);
        values[i] = source < 0 ? from[i] : from[static_cast<std::size_t>(source)];
        is_inside |= Mask{source >= 0} << i;
      }
      set_predicate(operands[0], is_inside, active);
      set(operands[1], values, active);
      return true;
    }
    case Operation::VOTE:
    case Operation::VOTEU: {
      const Operand& to = operands[0];
      const bool has_register = to.kind == Kind::reg || to.kind == Kind::uniform;
      const Mask votes = predicate(operands.back()) & here;
      const bool is_so = one.has("ALL") ? votes == here : votes != 0;
      Lanes values{};
      values.fill(votes);
      if (has_register) set(to, values, here);
      const Operand& flag = has_register ? operands[1] : to;
      set_predicate(flag, is_so ? ~Mask{0} : 0, here);
      return true;
    }
    case Operation::MATCH: {
      if (one.has("U64") || !one.has("ANY")) throw Unknown("the instruction " + one.text);
      const Lanes from = bits(operands.back());
      const std::size_t at = operands[0].kind == Kind::reg ? 0 : 1;
      Lanes matches{};
      for (std::uint32_t i = 0; i < 32; ++i) {
        for (std::uint32_t j = 0; j < 32; ++j) {
          if ((active >> j & 1U) != 0 && from[i] == from[j]) matches[i] |= Mask{1} << j;
        }
        const bool is_first = (matches[i] & ((Mask{1} << i) - 1)) == 0;
        if ((active >> i & 1U) != 0 && is_first) ++made.passes;
      }
      set(operands[at], matches, active);
      return true;
    }
    default:
      return false;
  }
}

}  // namespace tilelab::estimator
