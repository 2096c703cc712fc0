#pragma once

/// make_float3() and its siblings for every vector type.

#include "vector_types.h"

#define TILELAB_MAKE_VECTOR(Name, Scalar)                                              \
  constexpr Name##1 make_##Name##1(Scalar x) { return {x}; }                           \
  constexpr Name##2 make_##Name##2(Scalar x, Scalar y) { return {x, y}; }              \
  constexpr Name##3 make_##Name##3(Scalar x, Scalar y, Scalar z) { return {x, y, z}; } \
  TILELAB_MAKE_VECTOR_OF_4(Name##4, Scalar)
#define TILELAB_MAKE_VECTOR_OF_4(Name, Scalar) \
  constexpr Name make_##Name(Scalar x, Scalar y, Scalar z, Scalar w) { return {x, y, z, w}; }

TILELAB_MAKE_VECTOR(char, signed char)
TILELAB_MAKE_VECTOR(uchar, unsigned char)
TILELAB_MAKE_VECTOR(short, short)
TILELAB_MAKE_VECTOR(ushort, unsigned short)
TILELAB_MAKE_VECTOR(int, int)
TILELAB_MAKE_VECTOR(uint, unsigned int)
TILELAB_MAKE_VECTOR(long, long)
TILELAB_MAKE_VECTOR(ulong, unsigned long)
TILELAB_MAKE_VECTOR(longlong, long long)
TILELAB_MAKE_VECTOR(ulonglong, unsigned long long)
TILELAB_MAKE_VECTOR(float, float)
TILELAB_MAKE_VECTOR(double, double)

#define TILELAB_MAKE_ALIGNED_VECTORS(Name, Scalar) \
  TILELAB_MAKE_VECTOR_OF_4(Name##4_16a, Scalar)    \
  TILELAB_MAKE_VECTOR_OF_4(Name##4_32a, Scalar)

TILELAB_MAKE_ALIGNED_VECTORS(long, long)
TILELAB_MAKE_ALIGNED_VECTORS(ulong, unsigned long)
TILELAB_MAKE_ALIGNED_VECTORS(longlong, long long)
TILELAB_MAKE_ALIGNED_VECTORS(ulonglong, unsigned long long)
TILELAB_MAKE_ALIGNED_VECTORS(double, double)

#undef TILELAB_MAKE_ALIGNED_VECTORS
#undef TILELAB_MAKE_VECTOR
#undef TILELAB_MAKE_VECTOR_OF_4
