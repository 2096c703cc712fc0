#pragma once

/// Functions of 16-bit numbers and of pairs of them: each is that of float, rounded once.

#include <cmath>

#include "emulated/float_functions.h"

namespace tilelab::emulator {

/// The number, or 0 if it is negative. NaN stays.
inline float rectified(float x) { return x < 0 ? 0.0f : x; }

}  // namespace tilelab::emulator

/// hname() of a number, and h2name() of both numbers of a pair.
#define TILELAB_SMALL_FUNCTION(Type, Pair, name, expression) \
  inline Type h##name(Type a) {                              \
    const float x = static_cast<float>(a);                   \
    return expression;                                       \
  }                                                          \
  inline Pair h2##name(Pair a) { return {h##name(a.x), h##name(a.y)}; }

/// A comparison that holds for NaN, too, and both for pairs.
#define TILELAB_SMALL_COMPARISON(Type, Pair, name)        \
  inline bool __h##name##u(Type a, Type b) {              \
    return __hisnan(a) || __hisnan(b) || __h##name(a, b); \
  }                                                       \
  TILELAB_SMALL_COMPARISON_OF_PAIRS(Pair, name)           \
  TILELAB_SMALL_COMPARISON_OF_PAIRS(Pair, name##u)

/// A comparison of both numbers: whether it holds for both, and for which of them.
#define TILELAB_SMALL_COMPARISON_OF_PAIRS(Pair, name)                                              \
  inline bool __hb##name##2(Pair a, Pair b) { return __h##name(a.x, b.x) && __h##name(a.y, b.y); } \
  inline Pair __h##name##2(Pair a, Pair b) {                                                       \
    return {__h##name(a.x, b.x) ? 1.0f : 0.0f, __h##name(a.y, b.y) ? 1.0f : 0.0f};                 \
  }                                                                                                \
  inline unsigned __h##name##2_mask(Pair a, Pair b) {                                              \
    return (__h##name(a.x, b.x) ? 0xffffu : 0) | (__h##name(a.y, b.y) ? 0xffff0000u : 0);          \
  }

/// What a result becomes: hname() of numbers has the end `suffix`.
#define TILELAB_SMALL_VARIANT(Type, Pair, name, suffix, change)        \
  inline Type __h##name##suffix(Type a, Type b) {                      \
    return change(static_cast<float>(__h##name(a, b)));                \
  }                                                                    \
  inline Pair __h##name##2##suffix(Pair a, Pair b) {                   \
    return {__h##name##suffix(a.x, b.x), __h##name##suffix(a.y, b.y)}; \
  }

#define TILELAB_SMALL_FMA(Type, Pair, suffix, change)                      \
  inline Type __hfma##suffix(Type a, Type b, Type c) {                     \
    return change(static_cast<float>(__hfma(a, b, c)));                    \
  }                                                                        \
  inline Pair __hfma2##suffix(Pair a, Pair b, Pair c) {                    \
    return {__hfma##suffix(a.x, b.x, c.x), __hfma##suffix(a.y, b.y, c.y)}; \
  }

/// The larger or smaller number, which is NaN if one of them is.
#define TILELAB_SMALL_NAN(Type, Pair, name)                     \
  inline Type name##_nan(Type a, Type b) {                      \
    return __hisnan(a) || __hisnan(b) ? Type(NAN) : name(a, b); \
  }                                                             \
  inline Pair name##2_nan(Pair a, Pair b) { return {name##_nan(a.x, b.x), name##_nan(a.y, b.y)}; }

#define TILELAB_SMALL_MATH(Type, Pair)                                                          \
  TILELAB_SMALL_FUNCTION(Type, Pair, sqrt, std::sqrt(x))                                        \
  TILELAB_SMALL_FUNCTION(Type, Pair, rsqrt, 1.0f / std::sqrt(x))                                \
  TILELAB_SMALL_FUNCTION(Type, Pair, rcp, 1.0f / x)                                             \
  TILELAB_SMALL_FUNCTION(Type, Pair, exp, std::exp(x))                                          \
  TILELAB_SMALL_FUNCTION(Type, Pair, exp2, std::exp2(x))                                        \
  TILELAB_SMALL_FUNCTION(Type, Pair, exp10, std::pow(10.0f, x))                                 \
  TILELAB_SMALL_FUNCTION(Type, Pair, log, std::log(x))                                          \
  TILELAB_SMALL_FUNCTION(Type, Pair, log2, std::log2(x))                                        \
  TILELAB_SMALL_FUNCTION(Type, Pair, log10, std::log10(x))                                      \
  TILELAB_SMALL_FUNCTION(Type, Pair, sin, std::sin(x))                                          \
  TILELAB_SMALL_FUNCTION(Type, Pair, cos, std::cos(x))                                          \
  TILELAB_SMALL_FUNCTION(Type, Pair, tanh, std::tanh(x))                                        \
  inline Type htanh_approx(Type a) { return htanh(a); }                                         \
  inline Pair h2tanh_approx(Pair a) { return h2tanh(a); }                                       \
  TILELAB_SMALL_FUNCTION(Type, Pair, floor, std::floor(x))                                      \
  TILELAB_SMALL_FUNCTION(Type, Pair, ceil, std::ceil(x))                                        \
  TILELAB_SMALL_FUNCTION(Type, Pair, trunc, std::trunc(x))                                      \
  TILELAB_SMALL_FUNCTION(Type, Pair, rint, std::nearbyint(x))                                   \
  TILELAB_SMALL_COMPARISON(Type, Pair, eq)                                                      \
  TILELAB_SMALL_COMPARISON(Type, Pair, ne)                                                      \
  TILELAB_SMALL_COMPARISON(Type, Pair, lt)                                                      \
  TILELAB_SMALL_COMPARISON(Type, Pair, le)                                                      \
  TILELAB_SMALL_COMPARISON(Type, Pair, gt)                                                      \
  TILELAB_SMALL_COMPARISON(Type, Pair, ge)                                                      \
  TILELAB_SMALL_VARIANT(Type, Pair, add, _rn, float)                                            \
  TILELAB_SMALL_VARIANT(Type, Pair, sub, _rn, float)                                            \
  TILELAB_SMALL_VARIANT(Type, Pair, mul, _rn, float)                                            \
  TILELAB_SMALL_VARIANT(Type, Pair, add, _sat, __saturatef)                                     \
  TILELAB_SMALL_VARIANT(Type, Pair, sub, _sat, __saturatef)                                     \
  TILELAB_SMALL_VARIANT(Type, Pair, mul, _sat, __saturatef)                                     \
  TILELAB_SMALL_FMA(Type, Pair, _sat, __saturatef)                                              \
  TILELAB_SMALL_FMA(Type, Pair, _relu, tilelab::emulator::rectified)                            \
  TILELAB_SMALL_NAN(Type, Pair, __hmax)                                                         \
  TILELAB_SMALL_NAN(Type, Pair, __hmin)                                                         \
  inline Pair __hisnan2(Pair a) {                                                               \
    return {__hisnan(a.x) ? 1.0f : 0.0f, __hisnan(a.y) ? 1.0f : 0.0f};                          \
  }                                                                                             \
  inline Pair __hcmadd(Pair a, Pair b, Pair c) {                                                \
    return {__hfma(-a.y, b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y))}; \
  }                                                                                             \
  inline int __hisinf(Type a) {                                                                 \
    const float x = static_cast<float>(a);                                                      \
    return std::isinf(x) ? (x < 0 ? -1 : 1) : 0;                                                \
  }                                                                                             \
  inline Pair __habs2(Pair a) { return {__habs(a.x), __habs(a.y)}; }                            \
  inline float __low2float(Pair pair) { return pair.x; }                                        \
  inline float __high2float(Pair pair) { return pair.y; }                                       \
  inline Pair __lowhigh2highlow(Pair pair) { return {pair.y, pair.x}; }
