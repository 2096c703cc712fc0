#pragma once

/// Arithmetic that rounds toward zero, up or down. The process rounds to nearest, and the compiler
/// does not promise to respect a change of mode. So the nearest number moves by one where it is on
/// the wrong side of the exact result.

#include <cmath>
#include <limits>

namespace tilelab::emulator {

enum class Rounding { toward_zero, up, down };

/// @param rest  the exact result minus the nearest number; only its sign counts
template <class Float>
Float rounded(Rounding rounding, Float nearest, Float rest) {
  constexpr Float infinity = std::numeric_limits<Float>::infinity();
  const bool goes_up =
      rounding == Rounding::up || (rounding == Rounding::toward_zero && nearest < 0);
  if (goes_up) return rest > 0 ? std::nextafter(nearest, infinity) : nearest;
  return rest < 0 ? std::nextafter(nearest, -infinity) : nearest;
}

/// What is lost when finite numbers give infinity.
template <class Float>
Float rest_of(Float nearest, Float rest, bool is_finite) {
  return std::isinf(nearest) && is_finite ? -nearest : rest;
}

template <class Float>
Float rest_of_sum(Float x, Float y, Float sum) {
  const Float part = sum - x;
  return (x - (sum - part)) + (y - part);
}

template <class Float>
Float add(Rounding rounding, Float x, Float y) {
  const Float sum = x + y;
  return rounded(rounding, sum,
                 rest_of(sum, rest_of_sum(x, y, sum), std::isfinite(x) && std::isfinite(y)));
}

template <class Float>
Float multiply(Rounding rounding, Float x, Float y) {
  const Float product = x * y;
  return rounded(rounding, product,
                 rest_of(product, std::fma(x, y, -product), std::isfinite(x) && std::isfinite(y)));
}

template <class Float>
Float divide(Rounding rounding, Float x, Float y) {
  const Float quotient = x / y;
  const Float rest = std::fma(-quotient, y, x);
  return rounded(rounding, quotient,
                 rest_of(quotient, y < 0 ? -rest : rest, std::isfinite(x) && y != 0));
}

template <class Float>
Float square_root(Rounding rounding, Float x) {
  const Float root = std::sqrt(x);
  return rounded(rounding, root, std::fma(-root, root, x));
}

template <class Float>
Float multiply_add(Rounding rounding, Float x, Float y, Float z) {
  const Float result = std::fma(x, y, z);
  const Float product = x * y;
  const Float sum = product + z;
  const Float rest = ((sum - result) + rest_of_sum(product, z, sum)) + std::fma(x, y, -product);
  return rounded(rounding, result,
                 rest_of(result, rest, std::isfinite(x) && std::isfinite(y) && std::isfinite(z)));
}

/// A number of the narrower type on the wanted side of `value`. A long double has at least the 64
/// bits of the widest integer.
template <class Float, class Wide>
Float narrow(Rounding rounding, Wide value) {
  const Float nearest = static_cast<Float>(value);
  const Wide back = static_cast<Wide>(nearest);
  return rounded<Float>(rounding, nearest, value > back ? 1 : value < back ? -1 : 0);
}

}  // namespace tilelab::emulator

#define TILELAB_ROUNDED(suffix, mode)                                                              \
  inline float __fadd_##suffix(float x, float y) { return tilelab::emulator::add(mode, x, y); }    \
  inline float __fsub_##suffix(float x, float y) { return tilelab::emulator::add(mode, x, -y); }   \
  inline float __fmul_##suffix(float x, float y) {                                                 \
    return tilelab::emulator::multiply(mode, x, y);                                                \
  }                                                                                                \
  inline float __fdiv_##suffix(float x, float y) { return tilelab::emulator::divide(mode, x, y); } \
  inline float __fmaf_##suffix(float x, float y, float z) {                                        \
    return tilelab::emulator::multiply_add(mode, x, y, z);                                         \
  }                                                                                                \
  inline float __frcp_##suffix(float x) { return tilelab::emulator::divide(mode, 1.0f, x); }       \
  inline float __fsqrt_##suffix(float x) { return tilelab::emulator::square_root(mode, x); }       \
  inline double __dadd_##suffix(double x, double y) { return tilelab::emulator::add(mode, x, y); } \
  inline double __dsub_##suffix(double x, double y) {                                              \
    return tilelab::emulator::add(mode, x, -y);                                                    \
  }                                                                                                \
  inline double __dmul_##suffix(double x, double y) {                                              \
    return tilelab::emulator::multiply(mode, x, y);                                                \
  }                                                                                                \
  inline double __ddiv_##suffix(double x, double y) {                                              \
    return tilelab::emulator::divide(mode, x, y);                                                  \
  }                                                                                                \
  inline double __fma_##suffix(double x, double y, double z) {                                     \
    return tilelab::emulator::multiply_add(mode, x, y, z);                                         \
  }                                                                                                \
  inline double __drcp_##suffix(double x) { return tilelab::emulator::divide(mode, 1.0, x); }      \
  inline double __dsqrt_##suffix(double x) { return tilelab::emulator::square_root(mode, x); }     \
  inline float __double2float_##suffix(double x) {                                                 \
    return tilelab::emulator::narrow<float>(mode, x);                                              \
  }                                                                                                \
  inline float __int2float_##suffix(int x) {                                                       \
    return tilelab::emulator::narrow<float>(mode, static_cast<double>(x));                         \
  }                                                                                                \
  inline float __uint2float_##suffix(unsigned x) {                                                 \
    return tilelab::emulator::narrow<float>(mode, static_cast<double>(x));                         \
  }                                                                                                \
  inline float __ll2float_##suffix(long long x) {                                                  \
    return tilelab::emulator::narrow<float>(mode, static_cast<long double>(x));                    \
  }                                                                                                \
  inline float __ull2float_##suffix(unsigned long long x) {                                        \
    return tilelab::emulator::narrow<float>(mode, static_cast<long double>(x));                    \
  }                                                                                                \
  inline double __ll2double_##suffix(long long x) {                                                \
    return tilelab::emulator::narrow<double>(mode, static_cast<long double>(x));                   \
  }                                                                                                \
  inline double __ull2double_##suffix(unsigned long long x) {                                      \
    return tilelab::emulator::narrow<double>(mode, static_cast<long double>(x));                   \
  }

TILELAB_ROUNDED(rz, tilelab::emulator::Rounding::toward_zero)
TILELAB_ROUNDED(ru, tilelab::emulator::Rounding::up)
TILELAB_ROUNDED(rd, tilelab::emulator::Rounding::down)
#undef TILELAB_ROUNDED
