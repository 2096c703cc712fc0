#pragma once

/// Half-precision numbers: 5 bits of exponent, 10 of fraction.

#include "emulated/small_float_rounding.h"
#include "emulated/small_floats.h"

namespace tilelab::emulator {
using HalfFormat = SmallFormat<5, 10>;
}

TILELAB_SMALL_FLOAT(__half, __half2, __half_raw, HalfFormat)
TILELAB_SMALL_CONVERSIONS(__half, half, __half_raw, HalfFormat)
typedef __half half;
typedef __half nv_half;
typedef __half __nv_half;
typedef __half2 half2;
typedef __half2 nv_half2;
typedef __half2 __nv_half2;

inline __half __float2half(float value) { return value; }
inline __half __float2half_rn(float value) { return value; }
inline __half __double2half(double value) { return value; }
inline float __half2float(__half value) { return value; }
inline __half2 __float2half2_rn(float value) { return {value, value}; }
inline __half2 __floats2half2_rn(float x, float y) { return {x, y}; }
inline __half2 __float22half2_rn(float2 pair) { return {pair.x, pair.y}; }
inline float2 __half22float2(__half2 pair) { return make_float2(pair.x, pair.y); }
inline __half2 __half2half2(__half value) { return {value, value}; }
inline __half2 __low2half2(__half2 pair) { return {pair.x, pair.x}; }
inline __half2 __high2half2(__half2 pair) { return {pair.y, pair.y}; }
inline __half2 __lows2half2(__half2 a, __half2 b) { return {a.x, b.x}; }
inline __half2 __highs2half2(__half2 a, __half2 b) { return {a.y, b.y}; }
inline __half2 __halves2half2(__half x, __half y) { return {x, y}; }
inline __half2 make_half2(__half x, __half y) { return {x, y}; }
inline __half __low2half(__half2 pair) { return pair.x; }
inline __half __high2half(__half2 pair) { return pair.y; }
inline __half __ushort_as_half(unsigned short bits) { return __half_raw{bits}; }
inline unsigned short __half_as_ushort(__half value) { return value.bits; }
