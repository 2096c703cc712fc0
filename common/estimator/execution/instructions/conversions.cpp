// Conversions between integers and floats.

#include <bit>
#include <cmath>
#include <limits>

#include "estimator/execution/unknown.h"
#include "estimator/execution/warp.h"

namespace tilelab::estimator {

namespace {

/// An integer as a float, rounded upwards if the instruction says so.
float converted(const Instruction& one, std::uint32_t bits) {
  const double exact = one.has("U32") ? static_cast<double>(bits)
                                      : static_cast<double>(static_cast<std::int32_t>(bits));
  const auto made = static_cast<float>(exact);
  const bool is_too_low = one.has("RP") && static_cast<double>(made) < exact;
  return is_too_low ? std::nextafter(made, std::numeric_limits<float>::infinity()) : made;
}

double rounded(const Instruction& one, double value) {
  if (one.has("FLOOR")) return std::floor(value);
  if (one.has("CEIL")) return std::ceil(value);
  if (one.has("TRUNC")) return std::trunc(value);
  return std::nearbyint(value);
}

/// A float as an integer. What does not fit becomes the nearest that does.
std::uint32_t whole(const Instruction& one, float value) {
  const bool is_unsigned = one.has("U32");
  if (std::isnan(value)) return is_unsigned ? 0 : 0x80000000U;
  const double most = is_unsigned ? std::numeric_limits<std::uint32_t>::max()
                                  : std::numeric_limits<std::int32_t>::max();
  const double least = is_unsigned ? 0 : std::numeric_limits<std::int32_t>::min();
  const double made = std::fmin(std::fmax(rounded(one, double{value}), least), most);
  return is_unsigned ? static_cast<std::uint32_t>(made)
                     : static_cast<std::uint32_t>(static_cast<std::int32_t>(made));
}

/// A float in half precision, without what does not fit.
std::uint32_t half_bits(float value) {
  const std::uint32_t sign = std::bit_cast<std::uint32_t>(value) >> 16U & 0x8000U;
  const double magnitude = std::fabs(double{value});
  if (magnitude == 0) return sign;
  if (magnitude < 0x1p-14) return sign | static_cast<std::uint32_t>(magnitude * 0x1p24);
  int exponent = 0;
  const double fraction = std::frexp(magnitude, &exponent);
  return sign | (static_cast<std::uint32_t>(exponent + 14) << 10U) |
         (static_cast<std::uint32_t>(fraction * 2048) & 0x3ffU);
}

/// Two halves that the compiler puts into a register with HFMA2: -RZ * RZ + (high, low).
std::uint32_t pair_of_halves(const Instruction& one) {
  const auto& operands = one.operands;
  const bool is_pair = operands.size() >= 5 && operands[1].index == 255 &&
                       operands[2].index == 255 && operands[3].kind == Kind::number &&
                       operands[4].kind == Kind::number;
  if (!is_pair) throw unknown_instruction(one);
  const auto half = [&](const Operand& it) {
    return half_bits(std::bit_cast<float>(static_cast<std::uint32_t>(it.value)));
  };
  return half(operands[3]) << 16U | half(operands[4]);
}

void refuse_64_bits(const Instruction& one) {
  if (one.has("U64") || one.has("S64") || one.has("F64")) throw unknown_instruction(one);
}

}  // namespace

bool Warp::execute_conversion(const Instruction& one, Mask active) {
  const auto& operands = one.operands;
  switch (one.operation) {
    case Operation::I2F:
    case Operation::I2FP: {
      refuse_64_bits(one);
      const Lanes from = integer(operands[1]);
      set_each(operands[0], active, [&](std::size_t i) {
        return std::bit_cast<std::uint32_t>(converted(one, from[i]));
      });
      return true;
    }
    case Operation::F2I: {
      refuse_64_bits(one);
      const Lanes from = real(operands[1]);
      set_each(operands[0], active,
               [&](std::size_t i) { return whole(one, std::bit_cast<float>(from[i])); });
      return true;
    }
    case Operation::HFMA2: {
      const std::uint32_t pair = pair_of_halves(one);
      set_each(operands[0], active, [&](std::size_t) { return pair; });
      return true;
    }
    default:
      return false;
  }
}

}  // namespace tilelab::estimator
