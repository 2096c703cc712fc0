// Instructions that compare integers, or choose between them.

#include <algorithm>

#include "estimator/execution/instructions/sorted_operands.h"
#include "estimator/execution/unknown.h"
#include "estimator/execution/warp.h"

namespace tilelab::estimator {

namespace {

bool compare(const Instruction& one, std::int64_t a, std::int64_t b) {
  if (one.has("EQ")) return a == b;
  if (one.has("NE")) return a != b;
  if (one.has("LT")) return a < b;
  if (one.has("LE")) return a <= b;
  if (one.has("GT")) return a > b;
  if (one.has("GE")) return a >= b;
  throw unknown_instruction(one);
}

/// The comparison of two numbers of 64 bits, from their upper halves and what the comparison of
/// their lower halves gave.
bool compare_upper(const Instruction& one, std::int64_t a, std::int64_t b, bool of_lower) {
  return a == b ? of_lower : compare(one, a, b);
}

std::int64_t number_of(const Instruction& one, std::uint32_t bits) {
  return one.has("U32") ? std::int64_t{bits} : std::int64_t{static_cast<std::int32_t>(bits)};
}

/// The smaller or the greater of two numbers.
std::uint32_t extreme(const Instruction& one, std::uint32_t a, std::uint32_t b, bool is_least) {
  const bool is_less = number_of(one, a) < number_of(one, b);
  return is_less == is_least ? a : b;
}

}  // namespace

void Warp::execute_comparison(const Instruction& one, const SortedOperands& sorted, Mask active) {
  const auto source = [&](std::size_t i) { return integer(sorted.sources[i]); };
  switch (one.operation) {
    case Operation::ISETP:
    case Operation::UISETP: {
      const auto& operands = one.operands;
      const Lanes a = integer(operands[2]), b = integer(operands[3]);
      const Mask with = predicate(operands[4]);
      const bool is_upper = one.has("EX");
      const Mask lower = is_upper ? predicate(operands[5]) : 0;
      const Mask is_so = lanes_where([&](std::size_t i) {
        const std::int64_t x = number_of(one, a[i]), y = number_of(one, b[i]);
        return is_upper ? compare_upper(one, x, y, has_lane(lower, i)) : compare(one, x, y);
      });
      const auto joined = [&](Mask it) {
        return one.has("OR") ? it | with : one.has("XOR") ? it ^ with : it & with;
      };
      set_predicate(operands[0], joined(is_so), active);
      set_predicate(operands[1], joined(~is_so), active);
      return;
    }
    case Operation::SEL:
    case Operation::USEL: {
      const Lanes a = source(0), b = source(1);
      const Mask pick = predicate(sorted.read[0]);
      set_each(*sorted.to, active, [&](std::size_t i) { return has_lane(pick, i) ? a[i] : b[i]; });
      return;
    }
    case Operation::VIMNMX: {
      const Lanes a = source(0), b = source(1);
      const Mask least = predicate(sorted.read[0]);
      set_each(*sorted.to, active,
               [&](std::size_t i) { return extreme(one, a[i], b[i], has_lane(least, i)); });
      return;
    }
    case Operation::VIMNMX3: {
      const Lanes a = source(0), b = source(1), c = source(2);
      const Mask least = predicate(sorted.read[0]);
      set_each(*sorted.to, active, [&](std::size_t i) {
        const bool is_least = has_lane(least, i);
        return extreme(one, extreme(one, a[i], b[i], is_least), c[i], is_least);
      });
      return;
    }
    case Operation::VIADDMNMX: {
      const Lanes a = source(0), b = source(1), c = source(2);
      const Mask least = predicate(sorted.read[0]);
      set_each(*sorted.to, active,
               [&](std::size_t i) { return extreme(one, a[i] + b[i], c[i], has_lane(least, i)); });
      return;
    }
    default:
      throw unknown_instruction(one);
  }
}

}  // namespace tilelab::estimator
