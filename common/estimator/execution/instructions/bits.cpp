// Instructions on the bits of integers.

#include <algorithm>
#include <bit>

#include "estimator/execution/instructions/sorted_operands.h"
#include "estimator/execution/unknown.h"
#include "estimator/execution/warp.h"

namespace tilelab::estimator {

namespace {

/// Four of the eight bytes of two words, which a selector picks.
std::uint32_t permuted(std::uint32_t a, std::uint32_t selector, std::uint32_t b) {
  const std::uint64_t both = a | std::uint64_t{b} << 32U;
  std::uint32_t made = 0;
  for (std::uint32_t i = 0; i < 4; ++i) {
    const std::uint32_t pick = selector >> (4 * i) & 15U;
    auto byte = static_cast<std::uint32_t>(both >> (8 * (pick & 7U)) & 0xffU);
    if ((pick & 8U) != 0) byte = (byte & 0x80U) != 0 ? 0xffU : 0;  // its sign
    made |= byte << (8 * i);
  }
  return made;
}

/// A function of three bits, for all 32 bits. The table holds its result for each combination.
std::uint32_t logic(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t table) {
  std::uint32_t made = 0;
  if ((table & 0x01U) != 0) made |= ~a & ~b & ~c;
  if ((table & 0x02U) != 0) made |= ~a & ~b & c;
  if ((table & 0x04U) != 0) made |= ~a & b & ~c;
  if ((table & 0x08U) != 0) made |= ~a & b & c;
  if ((table & 0x10U) != 0) made |= a & ~b & ~c;
  if ((table & 0x20U) != 0) made |= a & ~b & c;
  if ((table & 0x40U) != 0) made |= a & b & ~c;
  if ((table & 0x80U) != 0) made |= a & b & c;
  return made;
}

/// SHF shifts the 64 bits of two words and gives half of the result.
std::uint32_t shifted(const Instruction& one, std::uint32_t low, std::uint32_t by,
                      std::uint32_t high) {
  const bool is_signed = one.has("S32") || one.has("S64");
  by = one.has("W") ? by & 31U : std::min(by, 63U);
  const std::uint64_t both = low | std::uint64_t{high} << 32U;
  const std::uint64_t made = one.has("L") ? both << by
                             : is_signed
                                 ? static_cast<std::uint64_t>(static_cast<std::int64_t>(both) >> by)
                                 : both >> by;
  return static_cast<std::uint32_t>(one.has("HI") ? made >> 32U : made);
}

std::uint32_t reversed(std::uint32_t word) {
  std::uint32_t made = 0;
  for (std::uint32_t b = 0; b < 32; ++b) made |= (word >> b & 1U) << (31 - b);
  return made;
}

/// The place of the highest bit that is set, or how far it is from the left; all bits if there is
/// none.
std::uint32_t highest_bit(const Instruction& one, std::uint32_t word) {
  if (word == 0) return ~0U;
  const auto zeros = static_cast<std::uint32_t>(std::countl_zero(word));
  return one.has("SH") ? zeros : 31 - zeros;
}

/// As many ones as a width says, from a bit on.
std::uint32_t ones(const Instruction& one, std::uint32_t first, std::uint32_t width) {
  const auto within = [&](std::uint32_t it) { return one.has("W") ? it & 31U : std::min(it, 32U); };
  const std::uint64_t made = (std::uint64_t{1} << within(width)) - 1;
  return static_cast<std::uint32_t>(made << within(first));
}

/// A number of this many bits in 32 bits.
std::uint32_t widened(const Instruction& one, std::uint32_t word, std::uint32_t width) {
  width = one.has("W") ? width & 31U : std::min(width, 32U);
  if (width == 0) return 0;
  const std::uint32_t moved = word << (32 - width);
  if (one.has("U32")) return moved >> (32 - width);
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(moved) >> (32 - width));
}

}  // namespace

void Warp::execute_bits(const Instruction& one, const SortedOperands& sorted, Mask active) {
  const auto source = [&](std::size_t i) {
    return i < sorted.sources.count ? integer(sorted.sources[i]) : Lanes{};
  };
  switch (one.operation) {
    case Operation::LOP3:
    case Operation::ULOP3: {
      const Lanes a = source(0), b = source(1), c = source(2);
      const std::uint32_t table = scalar(sorted.sources[3]);
      Lanes made{};
      for (std::size_t i = 0; i < made.size(); ++i) made[i] = logic(a[i], b[i], c[i], table);
      if (sorted.written.count > 0) {
        set_predicate(sorted.written[0], lanes_where([&](std::size_t i) { return made[i] != 0; }),
                      active);
      }
      set(*sorted.to, made, active);
      return;
    }
    case Operation::PLOP3:
    case Operation::UPLOP3: {
      const auto& operands = one.operands;
      const Mask a = predicate(operands[2]), b = predicate(operands[3]), c = predicate(operands[4]);
      const Mask first = logic(a, b, c, scalar(operands[5]));
      const Mask second = logic(a, b, c, scalar(operands[6]));
      set_predicate(operands[0], first, active);
      set_predicate(operands[1], second, active);
      return;
    }
    case Operation::SHF:
    case Operation::USHF: {
      const Lanes low = source(0), by = source(1), high = source(2);
      set_each(*sorted.to, active,
               [&](std::size_t i) { return shifted(one, low[i], by[i], high[i]); });
      return;
    }
    case Operation::PRMT:
    case Operation::UPRMT: {
      const Lanes a = source(0), selector = source(1), b = source(2);
      set_each(*sorted.to, active,
               [&](std::size_t i) { return permuted(a[i], selector[i], b[i]); });
      return;
    }
    case Operation::POPC:
    case Operation::UPOPC: {
      const Lanes a = source(0);
      set_each(*sorted.to, active,
               [&](std::size_t i) { return static_cast<std::uint32_t>(std::popcount(a[i])); });
      return;
    }
    case Operation::BREV:
    case Operation::UBREV: {
      const Lanes a = source(0);
      set_each(*sorted.to, active, [&](std::size_t i) { return reversed(a[i]); });
      return;
    }
    case Operation::FLO:
    case Operation::UFLO: {
      const Lanes a = source(0);
      set_each(*sorted.to, active, [&](std::size_t i) { return highest_bit(one, a[i]); });
      return;
    }
    case Operation::BMSK: {
      const Lanes first = source(0), width = source(1);
      set_each(*sorted.to, active, [&](std::size_t i) { return ones(one, first[i], width[i]); });
      return;
    }
    case Operation::SGXT:
    case Operation::USGXT: {
      const Lanes a = source(0), width = source(1);
      set_each(*sorted.to, active, [&](std::size_t i) { return widened(one, a[i], width[i]); });
      return;
    }
    default:
      throw unknown_instruction(one);
  }
}

}  // namespace tilelab::estimator
