#pragma once

/// Floating-point intrinsics: arithmetic with a rounding mode, conversions, fast functions.

#include <cfenv>
#include <cmath>
#include <limits>

extern "C" {
float __expf(float x) noexcept;
float __exp10f(float x) noexcept;
float __logf(float x) noexcept;
float __log2f(float x) noexcept;
float __log10f(float x) noexcept;
float __powf(float x, float y) noexcept;
float __sinf(float x) noexcept;
float __cosf(float x) noexcept;
float __tanf(float x) noexcept;
float __tanhf(float x) noexcept;
void __sincosf(float x, float* sine, float* cosine) noexcept;
}

inline float __fdividef(float x, float y) { return x / y; }
inline float __saturatef(float x) { return x > 0 ? (x < 1 ? x : 1.0f) : 0.0f; }

// The process rounds to nearest. directed_rounding.h has the other modes.
inline float __fadd_rn(float x, float y) { return x + y; }
inline float __fsub_rn(float x, float y) { return x - y; }
inline float __fmul_rn(float x, float y) { return x * y; }
inline float __fdiv_rn(float x, float y) { return x / y; }
inline float __fmaf_rn(float x, float y, float z) { return std::fma(x, y, z); }
inline float __frcp_rn(float x) { return 1.0f / x; }
inline float __fsqrt_rn(float x) { return std::sqrt(x); }
inline float __frsqrt_rn(float x) { return static_cast<float>(1.0 / std::sqrt(double{x})); }
inline double __dadd_rn(double x, double y) { return x + y; }
inline double __dsub_rn(double x, double y) { return x - y; }
inline double __dmul_rn(double x, double y) { return x * y; }
inline double __ddiv_rn(double x, double y) { return x / y; }
inline double __fma_rn(double x, double y, double z) { return std::fma(x, y, z); }
inline double __drcp_rn(double x) { return 1.0 / x; }
inline double __dsqrt_rn(double x) { return std::sqrt(x); }

namespace tilelab::emulator {

/// Converts to an integer as a GPU does: a value out of range becomes the nearest one in range. NaN
/// becomes 0, or the highest bit alone if the number or the integer has 64 bits (PTX ISA, `cvt`).
template <class Integer, class Float>
Integer saturating_cast(Float x) {
  using Limits = std::numeric_limits<Integer>;
  constexpr bool is_wide = sizeof(Float) == 8 || sizeof(Integer) == 8;
  if (std::isnan(x)) return is_wide ? Integer{1} << (8 * sizeof(Integer) - 1) : 0;
  if (x <= static_cast<Float>(Limits::min())) return Limits::min();
  if (x >= static_cast<Float>(Limits::max())) return Limits::max();
  return static_cast<Integer>(x);
}

}  // namespace tilelab::emulator

#define TILELAB_TO_INTEGER(name, Float, Integer)                           \
  inline Integer name##_rn(Float x) {                                      \
    return tilelab::emulator::saturating_cast<Integer>(std::nearbyint(x)); \
  }                                                                        \
  inline Integer name##_rz(Float x) {                                      \
    return tilelab::emulator::saturating_cast<Integer>(std::trunc(x));     \
  }                                                                        \
  inline Integer name##_ru(Float x) {                                      \
    return tilelab::emulator::saturating_cast<Integer>(std::ceil(x));      \
  }                                                                        \
  inline Integer name##_rd(Float x) {                                      \
    return tilelab::emulator::saturating_cast<Integer>(std::floor(x));     \
  }

TILELAB_TO_INTEGER(__float2int, float, int)
TILELAB_TO_INTEGER(__float2uint, float, unsigned)
TILELAB_TO_INTEGER(__float2ll, float, long long)
TILELAB_TO_INTEGER(__float2ull, float, unsigned long long)
TILELAB_TO_INTEGER(__double2int, double, int)
TILELAB_TO_INTEGER(__double2uint, double, unsigned)
TILELAB_TO_INTEGER(__double2ll, double, long long)
TILELAB_TO_INTEGER(__double2ull, double, unsigned long long)

#undef TILELAB_TO_INTEGER

inline float __int2float_rn(int x) { return static_cast<float>(x); }
inline float __uint2float_rn(unsigned x) { return static_cast<float>(x); }
inline float __ll2float_rn(long long x) { return static_cast<float>(x); }
inline float __ull2float_rn(unsigned long long x) { return static_cast<float>(x); }
inline double __int2double_rn(int x) { return x; }
inline double __uint2double_rn(unsigned x) { return x; }
inline double __ll2double_rn(long long x) { return static_cast<double>(x); }
inline double __ull2double_rn(unsigned long long x) { return static_cast<double>(x); }
inline float __double2float_rn(double x) { return static_cast<float>(x); }
