// Instructions that put a value into a register as it is.

#include <algorithm>
#include <bit>

#include "estimator/execution/instructions/sorted_operands.h"
#include "estimator/execution/unknown.h"
#include "estimator/execution/warp.h"

namespace tilelab::estimator {

namespace {

/// A value of constant memory as a load of some bytes leaves it in a register.
std::uint32_t narrowed(const Instruction& one, std::uint64_t value) {
  if (one.has("U8")) return static_cast<std::uint32_t>(value & 0xffU);
  if (one.has("S8")) return static_cast<std::uint32_t>(static_cast<std::int8_t>(value));
  if (one.has("U16")) return static_cast<std::uint32_t>(value & 0xffffU);
  if (one.has("S16")) return static_cast<std::uint32_t>(static_cast<std::int16_t>(value));
  return static_cast<std::uint32_t>(value);
}

/// Whether active lanes have different values.
bool are_different(const Lanes& values, Mask active) {
  if (active == 0) return false;
  const std::uint32_t first = values[static_cast<std::size_t>(std::countr_zero(active))];
  bool found = false;
  for_each_lane(active, [&](std::size_t lane) { found = found || values[lane] != first; });
  return found;
}

/// Whether an operand is a special register that differs from one run of a launch to the next.
bool is_unknown_register(const Operand& it) {
  return it.kind == Kind::special && it.special == Special::unknown;
}

}  // namespace

void Warp::execute_move(const Instruction& one, const SortedOperands& sorted, Mask active) {
  if (std::ranges::any_of(one.operands, is_unknown_register)) throw unknown_register(one);
  switch (one.operation) {
    case Operation::MOV:
    case Operation::UMOV:
    case Operation::S2R:
    case Operation::S2UR:
    case Operation::R2UR:
      set(*sorted.to, integer(sorted.sources[0]), active);
      return;
    case Operation::CS2R:
      // What is known of those is SRZ.
      if (sorted.to->kind == Kind::reg && !one.has("32")) set_wide(*sorted.to, {}, active);
      return;
    case Operation::LDC:
    case Operation::ULDC: {
      const Operand& from = sorted.sources[0];
      const auto begin = static_cast<std::uint64_t>(from.value) + uniform(from.uniform_index);
      Operand index;
      index.kind = Kind::reg;
      index.index = from.index;
      const Lanes offsets = bits(index);
      const bool are_unknown = (unknown_.sources(one) & active) != 0;
      if (are_unknown || are_different(offsets, active)) ++trace.different_constants;
      WideLanes values{};
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = constant(begin + offsets[i]);
      if (one.has("64")) {
        set_wide(*sorted.to, values, active);
      } else {
        set_each(*sorted.to, active, [&](std::size_t i) { return narrowed(one, values[i]); });
      }
      return;
    }
    case Operation::P2R: {
      const std::uint32_t kept = scalar(one.operands.back());
      set_each(*sorted.to, active, [&](std::size_t i) {
        std::uint32_t made = 0;
        for (std::size_t p = 0; p < 7; ++p) made |= (predicates_[p] >> i & 1U) << p;
        return made & kept;
      });
      return;
    }
    case Operation::R2P: {
      // R2P PR, R0.B1, 0x7f: predicates become the bits of a byte.
      const Operand& from = one.operands[1];
      const Lanes its = bits(from);
      const std::uint32_t changed = scalar(one.operands[2]);
      for (int p = 0; p < 7; ++p) {
        if ((changed >> p & 1U) == 0) continue;
        Operand to;
        to.kind = Kind::predicate;
        to.index = p;
        set_predicate(to, lanes_where([&](std::size_t i) {
                        return (its[i] >> (8 * from.byte + p) & 1U) != 0;
                      }),
                      active);
      }
      return;
    }
    default:
      throw unknown_instruction(one);
  }
}

}  // namespace tilelab::estimator
