#include "estimator/execution/instructions/half_bits.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace tilelab::estimator {

namespace {

constexpr std::uint32_t nan_bits = 0x7fff;

/// A number with this many digits, rounded to the nearest one. Below an exponent, numbers are
/// subnormal: they keep their distance.
double rounded(double value, int digits, int least_exponent) {
  if (value == 0 || !std::isfinite(value)) return value;
  const int exponent = std::max(std::ilogb(value), least_exponent) - (digits - 1);
  return std::ldexp(std::nearbyint(std::ldexp(value, -exponent)), exponent);
}

}  // namespace

std::uint32_t half_of(double value) {
  if (std::isnan(value)) return nan_bits;
  const std::uint32_t sign = std::signbit(value) ? 0x8000U : 0;
  const double magnitude = std::fabs(rounded(value, 11, -14));
  if (magnitude > 65504) return sign | 0x7c00U;
  // Floats with 2^-112 times the value have the digits of halves, above 13 others.
  const auto scaled = static_cast<float>(magnitude * 0x1p-112);
  return sign | std::bit_cast<std::uint32_t>(scaled) >> 13U;
}

std::uint32_t brain_half_of(double value) {
  if (std::isnan(value)) return nan_bits;
  return std::bit_cast<std::uint32_t>(static_cast<float>(rounded(value, 8, -126))) >> 16U;
}

double real_of_half(std::uint32_t bits) {
  const double magnitude = double{std::bit_cast<float>((bits & 0x7fffU) << 13U)} * 0x1p112;
  const double made = magnitude < 65536   ? magnitude
                      : magnitude > 65536 ? std::numeric_limits<double>::quiet_NaN()
                                          : std::numeric_limits<double>::infinity();
  return (bits & 0x8000U) != 0 ? -made : made;
}

double real_of_brain_half(std::uint32_t bits) { return std::bit_cast<float>(bits << 16U); }

}  // namespace tilelab::estimator
