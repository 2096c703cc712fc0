// Arithmetic in single precision.

#include <bit>
#include <cmath>

#include "estimator/execution/instructions/real_order.h"
#include "estimator/execution/instructions/rounding.h"
#include "estimator/execution/unknown.h"
#include "estimator/execution/warp.h"

namespace tilelab::estimator {

namespace {

float as_float(std::uint32_t bits) { return std::bit_cast<float>(bits); }
std::uint32_t as_bits(float value) { return std::bit_cast<std::uint32_t>(value); }

float special_function(const Instruction& one, float x) {
  if (one.has("RCP")) return 1.0F / x;
  if (one.has("RSQ")) return 1.0F / std::sqrt(x);
  if (one.has("SQRT")) return std::sqrt(x);
  if (one.has("EX2")) return std::exp2(x);
  if (one.has("LG2")) return std::log2(x);
  if (one.has("SIN")) return std::sin(x);
  if (one.has("COS")) return std::cos(x);
  if (one.has("TANH")) return std::tanh(x);
  throw unknown_instruction(one);
}

}  // namespace

/// Sums and products that are rounded to one side, or kept from 0 to 1.
void Warp::execute_unusual_real(const Instruction& one, Mask active) {
  const auto source = [&](std::size_t i) { return reals(one.operands[i], Precision::single); };
  const bool adds = one.operation == Operation::FADD;
  const bool multiplies = one.operation == Operation::FMUL;
  if (!adds && !multiplies && one.operation != Operation::FFMA) throw unknown_instruction(one);
  const Reals a = source(1), b = source(2), c = source(adds ? 2 : multiplies ? 1 : 3);
  const Rounding rounding(one);
  Reals made{};
  for (std::size_t i = 0; i < made.size(); ++i) {
    // Rounding to one side twice, to a double and then to a float, is the same as once.
    const volatile double product = adds ? a[i] : a[i] * b[i];
    const volatile double sum = multiplies ? product : product + c[i];
    // NaN becomes 0.
    made[i] = one.has("SAT") ? std::fmin(std::fmax(sum, 0.0), 1.0) : sum;
  }
  set_reals(one.operands[0], Precision::single, made, active);
}

void Warp::execute_real(const Instruction& one, Mask active) {
  const auto& operands = one.operands;
  if (one.operation == Operation::MUFU && (one.has("RCP64H") || one.has("RSQ64H"))) {
    return execute_double(one, active);
  }
  if (one.has("SAT") || rounding_of(one) != FE_TONEAREST) {
    return execute_unusual_real(one, active);
  }
  const auto each = [&](auto&& value) {
    Lanes made{};
    for (std::size_t i = 0; i < 32; ++i) made[i] = as_bits(value(i));
    set(operands[0], made, active);
  };
  switch (one.operation) {
    case Operation::FFMA: {
      const Lanes a = real(operands[1]), b = real(operands[2]), c = real(operands[3]);
      return each([&](std::size_t i) {
        // The product of two floats is exact in double precision.
        return static_cast<float>(double{as_float(a[i])} * as_float(b[i]) + as_float(c[i]));
      });
    }
    case Operation::FADD: {
      const Lanes a = real(operands[1]), b = real(operands[2]);
      return each([&](std::size_t i) { return as_float(a[i]) + as_float(b[i]); });
    }
    case Operation::FMUL: {
      const Lanes a = real(operands[1]), b = real(operands[2]);
      const float scale = one.has("D2") ? 0.5F : 1;
      return each([&](std::size_t i) { return as_float(a[i]) * as_float(b[i]) * scale; });
    }
    case Operation::FMNMX: {
      const Lanes a = real(operands[1]), b = real(operands[2]);
      const Mask least = predicate(operands[3]);
      return each([&](std::size_t i) {
        const float x = as_float(a[i]), y = as_float(b[i]);
        if (one.has("NAN") && (std::isnan(x) || std::isnan(y))) return x + y;
        return has_lane(least, i) ? std::fmin(x, y) : std::fmax(x, y);
      });
    }
    case Operation::FSEL: {
      const Lanes a = real(operands[1]), b = real(operands[2]);
      const Mask pick = predicate(operands[3]);
      return each([&](std::size_t i) { return as_float((pick >> i & 1U) != 0 ? a[i] : b[i]); });
    }
    case Operation::FSETP: {
      const Lanes a = real(operands[2]), b = real(operands[3]);
      const Mask with = predicate(operands[4]);
      const Mask is_so = lanes_where(
          [&](std::size_t i) { return compare_reals(one, as_float(a[i]), as_float(b[i])); });
      set_predicate(operands[0], joined(one, is_so, with), active);
      set_predicate(operands[1], joined(one, ~is_so, with), active);
      return;
    }
    case Operation::FSET: {
      const Lanes a = real(operands[1]), b = real(operands[2]);
      const Mask with = predicate(operands[3]);
      const Mask is_so = lanes_where(
          [&](std::size_t i) { return compare_reals(one, as_float(a[i]), as_float(b[i])); });
      const std::uint32_t yes = one.has("BF") ? as_bits(1) : ~0U;
      set_each(operands[0], active,
               [&](std::size_t i) { return has_lane(joined(one, is_so, with), i) ? yes : 0; });
      return;
    }
    case Operation::FCHK: {
      // Whether a division needs its slow path; the made-up numbers are ordinary ones.
      set_predicate(operands[0], 0, active);
      return;
    }
    case Operation::MUFU: {
      const Lanes a = real(operands[1]);
      return each([&](std::size_t i) { return special_function(one, as_float(a[i])); });
    }
    default:
      throw unknown_instruction(one);
  }
}

}  // namespace tilelab::estimator
