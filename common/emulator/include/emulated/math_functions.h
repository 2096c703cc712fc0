#pragma once

/// CUDA's mathematical functions in the global namespace that <math.h> does not have.

#include <cmath>
#include <numbers>

#include "emulated/error_functions.h"
#include "vector_types.h"

#define TILELAB_MIN_MAX(A, B, Result)                                                \
  static inline Result min(A a, B b) {                                               \
    return static_cast<Result>(a) < static_cast<Result>(b) ? static_cast<Result>(a)  \
                                                           : static_cast<Result>(b); \
  }                                                                                  \
  static inline Result max(A a, B b) {                                               \
    return static_cast<Result>(a) > static_cast<Result>(b) ? static_cast<Result>(a)  \
                                                           : static_cast<Result>(b); \
  }
#define TILELAB_INTEGER_MIN_MAX(Signed)                              \
  TILELAB_MIN_MAX(Signed, Signed, Signed)                            \
  TILELAB_MIN_MAX(unsigned Signed, unsigned Signed, unsigned Signed) \
  TILELAB_MIN_MAX(Signed, unsigned Signed, unsigned Signed)          \
  TILELAB_MIN_MAX(unsigned Signed, Signed, unsigned Signed)
// If one argument is NaN, the result is the other one.
#define TILELAB_FLOAT_MIN_MAX(A, B, Result)                           \
  static inline Result min(A a, B b) {                                \
    return std::fmin(static_cast<Result>(a), static_cast<Result>(b)); \
  }                                                                   \
  static inline Result max(A a, B b) {                                \
    return std::fmax(static_cast<Result>(a), static_cast<Result>(b)); \
  }

TILELAB_INTEGER_MIN_MAX(int)
TILELAB_INTEGER_MIN_MAX(long)
TILELAB_INTEGER_MIN_MAX(long long)
TILELAB_FLOAT_MIN_MAX(float, float, float)
TILELAB_FLOAT_MIN_MAX(double, double, double)
TILELAB_FLOAT_MIN_MAX(float, double, double)
TILELAB_FLOAT_MIN_MAX(double, float, double)

#undef TILELAB_FLOAT_MIN_MAX
#undef TILELAB_INTEGER_MIN_MAX
#undef TILELAB_MIN_MAX

inline unsigned umin(unsigned a, unsigned b) { return min(a, b); }
inline unsigned umax(unsigned a, unsigned b) { return max(a, b); }
inline long long llmin(long long a, long long b) { return min(a, b); }
inline long long llmax(long long a, long long b) { return max(a, b); }
inline unsigned long long ullmin(unsigned long long a, unsigned long long b) { return min(a, b); }
inline unsigned long long ullmax(unsigned long long a, unsigned long long b) { return max(a, b); }

inline float rsqrtf(float x) { return 1.0f / std::sqrt(x); }
inline double rsqrt(double x) { return 1.0 / std::sqrt(x); }
inline float rsqrt(float x) { return rsqrtf(x); }
// The bare instruction, under the name that nvcc and clang know it by. Programs declare it.
extern "C" __attribute__((always_inline)) inline float __nvvm_rsqrt_approx_ftz_f(float x) {
  return rsqrtf(x);
}
inline float rcbrtf(float x) { return 1.0f / std::cbrt(x); }
inline double rcbrt(double x) { return 1.0 / std::cbrt(x); }

// Lengths of vectors. Those in float are computed in double, so that no square overflows.
inline double norm3d(double x, double y, double z) { return std::hypot(x, y, z); }
inline double rnorm3d(double x, double y, double z) { return 1.0 / norm3d(x, y, z); }
inline double norm4d(double x, double y, double z, double w) {
  return std::hypot(std::hypot(x, y), std::hypot(z, w));
}
inline double rnorm4d(double x, double y, double z, double w) { return 1.0 / norm4d(x, y, z, w); }
inline float norm3df(float x, float y, float z) { return static_cast<float>(norm3d(x, y, z)); }
inline float rnorm3df(float x, float y, float z) { return static_cast<float>(rnorm3d(x, y, z)); }
inline float norm4df(float x, float y, float z, float w) {
  return static_cast<float>(norm4d(x, y, z, w));
}
inline float rnorm4df(float x, float y, float z, float w) {
  return static_cast<float>(rnorm4d(x, y, z, w));
}
namespace tilelab::emulator {
template <class T>
double length_of(int n, const T* x) {
  double length = 0;
  for (int i = 0; i < n; ++i) length = std::hypot(length, static_cast<double>(x[i]));
  return length;
}
}  // namespace tilelab::emulator
inline double norm(int n, const double* x) { return tilelab::emulator::length_of(n, x); }
inline double rnorm(int n, const double* x) { return 1.0 / norm(n, x); }
inline float normf(int n, const float* x) {
  return static_cast<float>(tilelab::emulator::length_of(n, x));
}
inline float rnormf(int n, const float* x) { return 1.0f / normf(n, x); }
inline double rhypot(double x, double y) { return 1.0 / std::hypot(x, y); }
inline float rhypotf(float x, float y) { return static_cast<float>(rhypot(x, y)); }

inline double sinpi(double x) { return std::sin(std::numbers::pi * std::remainder(x, 2.0)); }
inline double cospi(double x) { return std::cos(std::numbers::pi * std::remainder(x, 2.0)); }
inline void sincospi(double x, double* sine, double* cosine) {
  *sine = sinpi(x);
  *cosine = cospi(x);
}
inline float sinpif(float x) { return static_cast<float>(sinpi(x)); }
inline float cospif(float x) { return static_cast<float>(cospi(x)); }
inline void sincospif(float x, float* sine, float* cosine) {
  *sine = sinpif(x);
  *cosine = cospif(x);
}

inline double normcdf(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }
inline float normcdff(float x) { return static_cast<float>(normcdf(x)); }
inline float fdividef(float x, float y) { return x / y; }
