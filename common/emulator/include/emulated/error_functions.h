#pragma once

/// CUDA's relatives of the error function, and the modified Bessel functions.

#include <cmath>
#include <numbers>

/// exp(x * x) * erfc(x)
inline double erfcx(double x) {
  constexpr double large = 25;  // from here on erfc() has too few bits, and the fraction enough
  if (x < large) return std::exp(x * x) * std::erfc(x);
  double fraction = x;
  for (int i = 20; i > 0; --i) fraction = x + 0.5 * i / fraction;
  return std::numbers::inv_sqrtpi / fraction;
}

/// The y with erfc(y) = x, for x from 0 to 2. Newton's method, for the logarithm of erfc(), begins
/// with Winitzki's formula.
inline double erfcinv(double x) {
  if (!(x >= 0 && x <= 2)) return NAN;
  if (x == 0 || x == 2) return x == 0 ? INFINITY : -INFINITY;
  if (x > 1) return -erfcinv(2 - x);
  constexpr double a = 0.147;
  const double logarithm = std::log(x * (2 - x));
  const double half = 2 / (std::numbers::pi * a) + logarithm / 2;
  double y = std::sqrt(std::sqrt(half * half - logarithm / a) - half);
  for (int i = 0; i < 4; ++i) {
    y += std::log(std::erfc(y) / x) * erfcx(y) / (2 * std::numbers::inv_sqrtpi);
  }
  return y;
}

/// The y with erf(y) = x. Near 0, 1 - x would have too few bits.
inline double erfinv(double x) {
  if (std::fabs(x) > 0.5) return erfcinv(1 - x);
  double y = x / (2 * std::numbers::inv_sqrtpi);
  for (int i = 0; i < 6; ++i) {
    y -= (std::erf(y) - x) * std::exp(y * y) / (2 * std::numbers::inv_sqrtpi);
  }
  return y;
}

/// The y with normcdf(y) = x.
inline double normcdfinv(double x) { return -std::numbers::sqrt2 * erfcinv(2 * x); }

inline double cyl_bessel_i0(double x) { return std::cyl_bessel_i(0.0, std::fabs(x)); }
inline double cyl_bessel_i1(double x) {
  return std::copysign(std::cyl_bessel_i(1.0, std::fabs(x)), x);
}

inline float erfcxf(float x) { return static_cast<float>(erfcx(x)); }
inline float erfcinvf(float x) { return static_cast<float>(erfcinv(x)); }
inline float erfinvf(float x) { return static_cast<float>(erfinv(x)); }
inline float normcdfinvf(float x) { return static_cast<float>(normcdfinv(x)); }
inline float cyl_bessel_i0f(float x) { return static_cast<float>(cyl_bessel_i0(x)); }
inline float cyl_bessel_i1f(float x) { return static_cast<float>(cyl_bessel_i1(x)); }
