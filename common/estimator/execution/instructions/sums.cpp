// Sums and products of integers.

#include "estimator/execution/instructions/sorted_operands.h"
#include "estimator/execution/unknown.h"
#include "estimator/execution/warp.h"

namespace tilelab::estimator {

namespace {

/// The product of two factors in 64 bits.
std::uint64_t product(std::uint32_t a, std::uint32_t b, bool is_signed) {
  if (!is_signed) return std::uint64_t{a} * b;
  return static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(a)} *
                                    static_cast<std::int32_t>(b));
}

}  // namespace

void Warp::execute_sum(const Instruction& one, const SortedOperands& sorted, Mask active) {
  switch (one.operation) {
    case Operation::VIADD: {
      const Lanes a = integer(sorted.sources[0]), b = integer(sorted.sources[1]);
      set_each(*sorted.to, active, [&](std::size_t i) { return a[i] + b[i]; });
      return;
    }
    case Operation::IADD3:
    case Operation::UIADD3:
      add(one, sorted, active);
      return;
    case Operation::IMAD:
    case Operation::UIMAD:
      if (one.has("WIDE") || one.has("HI")) {
        multiply_wide(one, sorted, active);
      } else {
        multiply(one, sorted, active);
      }
      return;
    case Operation::LEA:
    case Operation::ULEA:
      shift_and_add(one, sorted, active);
      return;
    case Operation::IABS: {
      const Lanes a = integer(sorted.sources[0]);
      set_each(*sorted.to, active, [&](std::size_t i) {
        return static_cast<std::int32_t>(a[i]) < 0 ? 0U - a[i] : a[i];
      });
      return;
    }
    default:
      throw unknown_instruction(one);
  }
}

/// IADD3 adds three numbers. With two carries out, the first says whether there is one, the second
/// whether there are two.
void Warp::add(const Instruction& one, const SortedOperands& sorted, Mask active) {
  WideLanes sum{};
  for (std::size_t s = 0; s < sorted.sources.count; ++s) {
    const Operand& from = sorted.sources[s];
    const Lanes it = bits(from);
    // Minus x is not-x plus one, so that the carry is that of a subtraction.
    const bool inverts = from.is_inverted || from.is_negated;
    for (std::size_t i = 0; i < sum.size(); ++i) {
      sum[i] += inverts ? std::uint64_t{~it[i]} : it[i];
      if (from.is_negated) ++sum[i];
    }
  }
  if (one.has("X")) {
    for (std::size_t p = 0; p < sorted.read.count; ++p) {
      const Mask in = predicate(sorted.read[p]);
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += in >> i & 1U;
    }
  }
  for (std::size_t p = 0; p < sorted.written.count; ++p) {
    set_predicate(sorted.written[p], lanes_where([&](std::size_t i) { return sum[i] >> 32U > p; }),
                  active);
  }
  set_each(*sorted.to, active, [&](std::size_t i) { return static_cast<std::uint32_t>(sum[i]); });
}

/// The lower 32 bits of a product, and a summand.
void Warp::multiply(const Instruction& one, const SortedOperands& sorted, Mask active) {
  const Lanes a = integer(sorted.sources[0]), b = integer(sorted.sources[1]);
  const Lanes c = sorted.sources.count > 2 ? integer(sorted.sources[2]) : Lanes{};
  if (one.has("MOV")) {
    set(*sorted.to, c, active);
    return;
  }
  const Mask in = one.has("X") && sorted.read.count > 0 ? predicate(sorted.read[0]) : 0;
  set_each(*sorted.to, active, [&](std::size_t i) { return a[i] * b[i] + c[i] + (in >> i & 1U); });
}

/// All 64 bits of a product, or the upper 32, and a summand of 64 bits.
void Warp::multiply_wide(const Instruction& one, const SortedOperands& sorted, Mask active) {
  const Lanes a = integer(sorted.sources[0]), b = integer(sorted.sources[1]);
  const WideLanes c = sorted.sources.count > 2 ? wide(sorted.sources[2]) : WideLanes{};
  const bool is_signed = !one.has("U32");
  WideLanes sum{};
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = product(a[i], b[i], is_signed) + c[i];
  if (sorted.written.count > 0) {
    set_predicate(sorted.written[0], lanes_where([&](std::size_t i) { return sum[i] < c[i]; }),
                  active);
  }
  if (one.has("WIDE")) {
    set_wide(*sorted.to, sum, active);
    return;
  }
  const Mask in = one.has("X") && sorted.read.count > 0 ? predicate(sorted.read[0]) : 0;
  set_each(*sorted.to, active, [&](std::size_t i) {
    return static_cast<std::uint32_t>(sum[i] >> 32U) + (in >> i & 1U);
  });
}

/// LEA shifts a number to the left and adds another. LEA.HI does so with the upper 32 bits of a
/// number of 64 bits, whose upper half is an operand of its own or, with SX32, the sign.
void Warp::shift_and_add(const Instruction& one, const SortedOperands& sorted, Mask active) {
  const Lanes a = integer(sorted.sources[0]), b = integer(sorted.sources[1]);
  const bool is_high = one.has("HI");
  const bool extends_sign = one.has("SX32");
  const bool has_upper = is_high && !extends_sign && sorted.sources.count > 3;
  const Lanes upper = has_upper ? integer(sorted.sources[2]) : Lanes{};
  const std::size_t last = has_upper ? 3 : 2;
  const std::uint32_t by = last < sorted.sources.count ? scalar(sorted.sources[last]) & 31U : 0;
  const Mask in = one.has("X") && sorted.read.count > 0 ? predicate(sorted.read[0]) : 0;
  WideLanes sum{};
  for (std::size_t i = 0; i < sum.size(); ++i) {
    const std::uint64_t whole =
        extends_sign ? static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(a[i])})
                     : a[i] | std::uint64_t{upper[i]} << 32U;
    const std::uint64_t moved = whole << by;
    sum[i] = (is_high ? moved >> 32U : moved & 0xffffffffU) + b[i] + (in >> i & 1U);
  }
  set_each(*sorted.to, active, [&](std::size_t i) { return static_cast<std::uint32_t>(sum[i]); });
  if (sorted.written.count > 0) {
    set_predicate(sorted.written[0], lanes_where([&](std::size_t i) { return sum[i] >> 32U != 0; }),
                  active);
  }
}

}  // namespace tilelab::estimator
