#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "estimator/code/operations.h"

namespace tilelab::estimator {

/// The kinds of reals: of 16, 32 or 64 bits. A brain half has the exponents of a float.
enum class Precision : std::uint8_t { half, brain, single, twofold };

/// What an operand of a machine instruction is.
enum class Kind : std::uint8_t {
  none,
  reg,        ///< R0 to R254; RZ is 255
  uniform,    ///< UR0 to UR62; URZ is 63
  predicate,  ///< P0 to P6; PT is 7
  uniform_predicate,
  number,    ///< an immediate, as the 32 bits of an integer or a float, or the 64 of a double
  constant,  ///< c[bank][offset], offset perhaps plus a register
  memory,    ///< [register + uniform register + offset]
  special,   ///< SR_TID.X and its like
  label,     ///< the index of an instruction
  barrier,   ///< B0 to B15
  other,
};

/// The special registers that are known here.
enum class Special : std::uint8_t {
  thread_x,
  thread_y,
  thread_z,
  block_x,
  block_y,
  block_z,
  lane,
  lanes_below,
  lanes_to_here,    ///< the lane and those below
  lanes_from_here,  ///< the lane and those above
  lanes_above,
  lane_bit,
  zero,
  unknown,
};

/// One operand.
struct Operand {
  Kind kind = Kind::none;
  Special special = Special::unknown;
  bool is_negated = false;   ///< -R0, or !P0
  bool is_inverted = false;  ///< ~R0
  bool is_absolute = false;  ///< |R0|
  bool is_wide = false;      ///< R0.64: the pair of registers
  bool is_reused = false;    ///< kept for the next instruction
  int byte = 0;              ///< R0.B3: the first byte that is read
  /// R0.H1_H1: which half of a register each half of the value is, from the lower one
  std::array<std::uint8_t, 2> halves{0, 1};
  int index = 255;         ///< the number of a register, or of a predicate
  int uniform_index = 63;  ///< of the uniform register in an address
  std::int64_t value = 0;  ///< a number, an offset in bytes, or where a label is
};

/// Whether an operand is a predicate.
constexpr bool is_predicate(const Operand& it) {
  return it.kind == Kind::predicate || it.kind == Kind::uniform_predicate;
}

/// What the compiler tells the scheduler with an instruction, from compute capability 7.0 on.
///
/// An instruction may be issued `stall` cycles after the one before it, and once the scoreboards
/// in `waits` are released. A result of variable latency releases `write_scoreboard`, operands that
/// were read release `read_scoreboard`; 7 is none.
struct Control {
  int stall = 0;  ///< in cycles
  int write_scoreboard = 7;
  int read_scoreboard = 7;
  std::uint8_t waits = 0;
};

/// What an instruction does, as far as the estimator tells instructions apart.
enum class Operation : std::uint16_t {
#define TILELAB_ENUMERATOR(name, family) name
  TILELAB_OPERATIONS(TILELAB_ENUMERATOR),
#undef TILELAB_ENUMERATOR
  unknown,
};

/// Operations that are executed by the same code.
enum class Family : std::uint8_t {
  control,  ///< moves lanes elsewhere, or has them wait
  access,
  move,
  sum,
  bits,
  bytes,
  comparison,
  twofold,  ///< arithmetic in double precision
  real,
  halves,
  conversion,
  across,   ///< lanes of a warp together
  nothing,  ///< has no effect on values
  unknown,
};

/// The family of an operation.
constexpr Family family_of(Operation it) {
#define TILELAB_FAMILY(name, family) Family::family
  constexpr std::array families = {TILELAB_OPERATIONS(TILELAB_FAMILY), Family::unknown};
#undef TILELAB_FAMILY
  return families[static_cast<std::size_t>(it)];
}

/// Whether an operation is atomic, on global memory.
constexpr bool is_global_atomic(Operation it) {
  return it == Operation::RED || it == Operation::REDG || it == Operation::ATOM ||
         it == Operation::ATOMG;
}

/// The unit that executes an instruction. The names are those of Nsight Compute.
enum class Pipe : std::uint8_t { fma, fma_heavy, alu, xu, lsu, adu, uniform, cbu, fp64, other };
constexpr int pipes = 10;

/// One machine instruction.
struct Instruction {
  std::string text;
  Operation operation = Operation::unknown;
  Pipe pipe = Pipe::other;
  std::vector<std::string> modifiers;  ///< of LDG.E.128: E and 128
  std::vector<Operand> operands;
  Operand guard;  ///< @P0; none if it is always executed
  Control control;
  int line = 0;                ///< in the source, 0 if unknown
  int bytes = 4;               ///< per lane, of an access
  std::array<int, 2> reads{};  ///< registers that it reads of each bank

  /// Whether its name has this part after a dot.
  bool has(std::string_view modifier) const;
};

/// The machine code of a kernel.
struct Function {
  std::string name;  ///< as the linker sees it
  std::vector<Instruction> code;
};

}  // namespace tilelab::estimator
