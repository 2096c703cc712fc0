#pragma once

/// Functions of 16-bit numbers and of pairs of them: each is that of float, rounded once.

#include <cmath>

/// hname() of a number, and h2name() of both numbers of a pair.
#define TILELAB_SMALL_FUNCTION(Type, Pair, name, expression) \
  inline Type h##name(Type a) {                              \
    const float x = static_cast<float>(a);                   \
    return expression;                                       \
  }                                                          \
  inline Pair h2##name(Pair a) { return {h##name(a.x), h##name(a.y)}; }

/// A comparison of both numbers: whether it holds for both, and for which of them.
#define TILELAB_SMALL_COMPARISON(Type, Pair, name)                                                 \
  inline bool __hb##name##2(Pair a, Pair b) { return __h##name(a.x, b.x) && __h##name(a.y, b.y); } \
  inline Pair __h##name##2(Pair a, Pair b) {                                                       \
    return {__h##name(a.x, b.x) ? 1.0f : 0.0f, __h##name(a.y, b.y) ? 1.0f : 0.0f};                 \
  }

#define TILELAB_SMALL_MATH(Type, Pair)                               \
  TILELAB_SMALL_FUNCTION(Type, Pair, sqrt, std::sqrt(x))             \
  TILELAB_SMALL_FUNCTION(Type, Pair, rsqrt, 1.0f / std::sqrt(x))     \
  TILELAB_SMALL_FUNCTION(Type, Pair, rcp, 1.0f / x)                  \
  TILELAB_SMALL_FUNCTION(Type, Pair, exp, std::exp(x))               \
  TILELAB_SMALL_FUNCTION(Type, Pair, exp2, std::exp2(x))             \
  TILELAB_SMALL_FUNCTION(Type, Pair, exp10, std::pow(10.0f, x))      \
  TILELAB_SMALL_FUNCTION(Type, Pair, log, std::log(x))               \
  TILELAB_SMALL_FUNCTION(Type, Pair, log2, std::log2(x))             \
  TILELAB_SMALL_FUNCTION(Type, Pair, log10, std::log10(x))           \
  TILELAB_SMALL_FUNCTION(Type, Pair, sin, std::sin(x))               \
  TILELAB_SMALL_FUNCTION(Type, Pair, cos, std::cos(x))               \
  TILELAB_SMALL_FUNCTION(Type, Pair, tanh, std::tanh(x))             \
  TILELAB_SMALL_FUNCTION(Type, Pair, floor, std::floor(x))           \
  TILELAB_SMALL_FUNCTION(Type, Pair, ceil, std::ceil(x))             \
  TILELAB_SMALL_FUNCTION(Type, Pair, trunc, std::trunc(x))           \
  TILELAB_SMALL_FUNCTION(Type, Pair, rint, std::nearbyint(x))        \
  TILELAB_SMALL_COMPARISON(Type, Pair, eq)                           \
  TILELAB_SMALL_COMPARISON(Type, Pair, ne)                           \
  TILELAB_SMALL_COMPARISON(Type, Pair, lt)                           \
  TILELAB_SMALL_COMPARISON(Type, Pair, le)                           \
  TILELAB_SMALL_COMPARISON(Type, Pair, gt)                           \
  TILELAB_SMALL_COMPARISON(Type, Pair, ge)                           \
  inline int __hisinf(Type a) {                                      \
    const float x = static_cast<float>(a);                           \
    return std::isinf(x) ? (x < 0 ? -1 : 1) : 0;                     \
  }                                                                  \
  inline Pair __habs2(Pair a) { return {__habs(a.x), __habs(a.y)}; } \
  inline float __low2float(Pair pair) { return pair.x; }             \
  inline float __high2float(Pair pair) { return pair.y; }            \
  inline Pair __lowhigh2highlow(Pair pair) { return {pair.y, pair.x}; }
