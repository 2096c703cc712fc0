// Arithmetic on pairs of halves: two numbers of 16 bits in a register.

#include <bit>
#include <cmath>
#include <vector>

#include "estimator/execution/instructions/half_bits.h"
#include "estimator/execution/instructions/real_order.h"
#include "estimator/execution/unknown.h"
#include "estimator/execution/warp.h"

namespace tilelab::estimator {

namespace {

Precision packed_precision_of(const Instruction& one) {
  return one.has("BF16_V2") || one.has("BF16") ? Precision::brain : Precision::half;
}

std::uint32_t bits_of(Precision precision, double value) {
  return precision == Precision::brain ? brain_half_of(value) : half_of(value);
}

/// The sum of two numbers. If it has too many digits, the last one is made odd, which stands for
/// the rest when the sum is rounded to fewer digits.
double sum_to_odd(double a, double b) {
  const double sum = a + b;
  const double rounded_b = sum - a;
  const double rest = (a - (sum - rounded_b)) + (b - rounded_b);
  if (!std::isfinite(sum) || rest == 0) return sum;
  const auto bits = std::bit_cast<std::uint64_t>(sum);
  if ((bits & 1U) != 0) return sum;
  return std::bit_cast<double>((rest > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

double extreme(double a, double b, bool is_least) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) ? b : a;
  return is_below(a, b) == is_least ? a : b;
}

/// The operands that hold the upper and the lower halves of a source.
struct Halves {
  const Operand& upper;
  const Operand& lower;
};

/// The sources of an instruction. Two numbers in a row are the halves of one source.
std::vector<Halves> sources_of(const Instruction& one, std::size_t first) {
  std::vector<Halves> made;
  const auto& operands = one.operands;
  for (std::size_t i = first; i < operands.size(); ++i) {
    if (is_predicate(operands[i])) continue;
    const bool is_pair = i + 1 < operands.size() && operands[i].kind == Kind::number &&
                         operands[i + 1].kind == Kind::number;
    made.push_back({operands[i], operands[is_pair ? i + 1 : i]});
    if (is_pair) ++i;
  }
  return made;
}

/// Refuses what is not executed here.
void check_modifiers(const Instruction& one) {
  for (const char* modifier : {"SAT", "RELU", "RZ", "MERGE_C", "XORSIGN"}) {
    if (one.has(modifier)) throw unknown_instruction(one);
  }
}

}  // namespace

/// The lower or the upper halves of a source.
Reals Warp::half_reals(const Operand& from, std::size_t which, Precision precision) const {
  Operand chosen = from;
  chosen.halves[0] = from.halves[which];
  return reals(chosen, precision);
}

template <class F>
void Warp::set_halves(const Instruction& one, Mask active, F&& value) {
  const Precision precision = packed_precision_of(one);
  const auto sources = sources_of(one, 1);
  const auto part = [&](std::size_t which) {
    std::vector<Reals> from;
    for (const Halves& it : sources) {
      from.push_back(half_reals(which == 0 ? it.lower : it.upper, which, precision));
    }
    Lanes made{};
    for (std::size_t i = 0; i < made.size(); ++i) {
      const auto at = [&](std::size_t source) { return from[source][i]; };
      made[i] = value(at, i);
    }
    return made;
  };
  const Lanes lower = part(0), upper = part(1);
  set_each(one.operands[0], active, [&](std::size_t i) { return lower[i] | upper[i] << 16U; });
}

void Warp::execute_halves(const Instruction& one, Mask active) {
  const auto& operands = one.operands;
  const Precision precision = packed_precision_of(one);
  const auto set_packed = [&](auto&& value) {
    check_modifiers(one);
    set_halves(one, active,
               [&](auto&& at, std::size_t i) { return bits_of(precision, value(at, i)); });
  };
  switch (one.operation) {
    case Operation::HADD2: {
      if (one.has("F32")) {
        Reals made = half_reals(operands[1], 0, precision);
        const Reals b = half_reals(operands[2], 0, precision);
        for (std::size_t i = 0; i < made.size(); ++i) made[i] += b[i];
        set_reals(operands[0], Precision::single, made, active);
        return;
      }
      return set_packed([](auto&& at, std::size_t) { return sum_to_odd(at(0), at(1)); });
    }
    case Operation::HMUL2:
      return set_packed([](auto&& at, std::size_t) { return at(0) * at(1); });
    case Operation::HFMA2:
      return set_packed([](auto&& at, std::size_t) { return sum_to_odd(at(0) * at(1), at(2)); });
    case Operation::HMNMX2: {
      const Mask least = predicate(operands.back());
      return set_packed(
          [&](auto&& at, std::size_t i) { return extreme(at(0), at(1), has_lane(least, i)); });
    }
    case Operation::HSET2: {
      const Mask with = predicate(operands.back());
      const std::uint32_t yes = one.has("BF") ? bits_of(precision, 1) : 0xffffU;
      set_halves(one, active, [&](auto&& at, std::size_t i) {
        const bool is_so = compare_reals(one, at(0), at(1));
        return has_lane(joined(one, is_so ? all_lanes : 0, with), i) ? yes : 0;
      });
      return;
    }
    case Operation::HSETP2: {
      const auto sources = sources_of(one, 2);
      const Mask with = predicate(operands.back());
      const auto where = [&](std::size_t which) {
        const auto part = [&](const Halves& it) {
          return half_reals(which == 0 ? it.lower : it.upper, which, precision);
        };
        const Reals a = part(sources[0]), b = part(sources[1]);
        return joined(
            one, lanes_where([&](std::size_t i) { return compare_reals(one, a[i], b[i]); }), with);
      };
      const Mask lower = where(0), upper = where(1);
      set_predicate(operands[0], lower, active);
      set_predicate(operands[1], upper, active);
      return;
    }
    case Operation::F2FP: {
      // F2FP.F16.F32.PACK_AB makes a pair of two floats, the upper half of the first.
      check_modifiers(one);
      const bool is_known = one.has("PACK_AB") && (one.has("F16") || one.has("BF16"));
      if (!is_known) throw unknown_instruction(one);
      const Reals upper = reals(operands[1], Precision::single);
      const Reals lower = reals(operands[2], Precision::single);
      set_each(operands[0], active, [&](std::size_t i) {
        return bits_of(precision, upper[i]) << 16U | bits_of(precision, lower[i]);
      });
      return;
    }
    default:
      throw unknown_instruction(one);
  }
}

}  // namespace tilelab::estimator
