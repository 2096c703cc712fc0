// Arithmetic in single precision.

#include <bit>
#include <cmath>

#include "estimator/execution/instructions/real_order.h"
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

bool Warp::execute_real(const Instruction& one, Mask active) {
  const auto& operands = one.operands;
  const auto each = [&](auto&& value) {
    Lanes made{};
    for (std::size_t i = 0; i < 32; ++i) made[i] = as_bits(value(i));
    set(operands[0], made, active);
    return true;
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
      return each([&](std::size_t i) { return as_float(a[i]) * as_float(b[i]); });
    }
    case Operation::FMNMX: {
      const Lanes a = real(operands[1]), b = real(operands[2]);
      const Mask least = predicate(operands[3]);
      return each([&](std::size_t i) {
        const float x = as_float(a[i]), y = as_float(b[i]);
        return (least >> i & 1U) != 0 ? std::fmin(x, y) : std::fmax(x, y);
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
      return true;
    }
    case Operation::FCHK: {
      // Whether a division needs its slow path; the made-up numbers are ordinary ones.
      set_predicate(operands[0], 0, active);
      return true;
    }
    case Operation::MUFU: {
      const Lanes a = real(operands[1]);
      return each([&](std::size_t i) { return special_function(one, as_float(a[i])); });
    }
    default:
      return false;
  }
}

}  // namespace tilelab::estimator
