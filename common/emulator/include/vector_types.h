#pragma once

/// CUDA's built-in vector types, with CUDA's alignments. Needs nothing else of the emulator, so
/// host code that only describes data can include it alone.

#ifdef TILELAB_CHECKED
#include "emulated/checked_vector_types.h"
#else
#define TILELAB_VECTOR_TYPES(Name, Scalar, align_of_2, align_of_4) \
  struct Name##1 {                                                 \
    Scalar x;                                                      \
  };                                                               \
  struct alignas(align_of_2) Name##2 {                             \
    Scalar x, y;                                                   \
  };                                                               \
  struct Name##3 {                                                 \
    Scalar x, y, z;                                                \
  };                                                               \
  TILELAB_VECTOR_OF_4(Name##4, Scalar, align_of_4)
#define TILELAB_VECTOR_OF_4(Name, Scalar, align) \
  struct alignas(align) Name {                   \
    Scalar x, y, z, w;                           \
  };
#endif

TILELAB_VECTOR_TYPES(char, signed char, 2, 4)
TILELAB_VECTOR_TYPES(uchar, unsigned char, 2, 4)
TILELAB_VECTOR_TYPES(short, short, 4, 8)
TILELAB_VECTOR_TYPES(ushort, unsigned short, 4, 8)
TILELAB_VECTOR_TYPES(int, int, 8, 16)
TILELAB_VECTOR_TYPES(uint, unsigned int, 8, 16)
TILELAB_VECTOR_TYPES(long, long, 16, 16)
TILELAB_VECTOR_TYPES(ulong, unsigned long, 16, 16)
TILELAB_VECTOR_TYPES(longlong, long long, 16, 16)
TILELAB_VECTOR_TYPES(ulonglong, unsigned long long, 16, 16)
TILELAB_VECTOR_TYPES(float, float, 8, 16)
TILELAB_VECTOR_TYPES(double, double, 16, 16)

// CUDA 13 has names for both alignments.
#define TILELAB_ALIGNED_VECTORS(Name, Scalar)  \
  TILELAB_VECTOR_OF_4(Name##4_16a, Scalar, 16) \
  TILELAB_VECTOR_OF_4(Name##4_32a, Scalar, 32)

TILELAB_ALIGNED_VECTORS(long, long)
TILELAB_ALIGNED_VECTORS(ulong, unsigned long)
TILELAB_ALIGNED_VECTORS(longlong, long long)
TILELAB_ALIGNED_VECTORS(ulonglong, unsigned long long)
TILELAB_ALIGNED_VECTORS(double, double)

#undef TILELAB_ALIGNED_VECTORS
#undef TILELAB_VECTOR_TYPES
#undef TILELAB_VECTOR_OF_4

/// The size of a grid or a block. Dimensions that are left out are 1.
struct dim3 {
  unsigned int x, y, z;
  constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1)
      : x(x_), y(y_), z(z_) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
};
