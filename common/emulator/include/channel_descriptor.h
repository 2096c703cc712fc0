#pragma once

/// What the elements of an array are: up to four channels of one kind.

#include "vector_types.h"

enum cudaChannelFormatKind {
  cudaChannelFormatKindSigned = 0,
  cudaChannelFormatKindUnsigned = 1,
  cudaChannelFormatKindFloat = 2,
  cudaChannelFormatKindNone = 3
};

struct cudaChannelFormatDesc {
  int x, y, z, w;  ///< Bits of each channel.
  cudaChannelFormatKind f;
};

constexpr cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                      cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

/// The channels of a built-in type. There are none with three channels.
template <class T>
constexpr cudaChannelFormatDesc cudaCreateChannelDesc() {
  return {0, 0, 0, 0, cudaChannelFormatKindNone};
}

#define TILELAB_CHANNELS(T, count, kind)                                            \
  template <>                                                                       \
  constexpr cudaChannelFormatDesc cudaCreateChannelDesc<T>() {                      \
    constexpr int bits = 8 * sizeof(T) / count;                                     \
    return {bits, count > 1 ? bits : 0, count > 2 ? bits : 0, count > 3 ? bits : 0, \
            cudaChannelFormatKind##kind};                                           \
  }
#define TILELAB_CHANNELS_OF(Name, Scalar, kind) \
  TILELAB_CHANNELS(Scalar, 1, kind)             \
  TILELAB_CHANNELS(Name##1, 1, kind)            \
  TILELAB_CHANNELS(Name##2, 2, kind)            \
  TILELAB_CHANNELS(Name##4, 4, kind)

TILELAB_CHANNELS_OF(char, signed char, Signed)
TILELAB_CHANNELS(char, 1, Signed)
TILELAB_CHANNELS_OF(uchar, unsigned char, Unsigned)
TILELAB_CHANNELS_OF(short, short, Signed)
TILELAB_CHANNELS_OF(ushort, unsigned short, Unsigned)
TILELAB_CHANNELS_OF(int, int, Signed)
TILELAB_CHANNELS_OF(uint, unsigned, Unsigned)
TILELAB_CHANNELS_OF(float, float, Float)

#undef TILELAB_CHANNELS_OF
#undef TILELAB_CHANNELS

inline cudaChannelFormatDesc cudaCreateChannelDescHalf() {
  return {16, 0, 0, 0, cudaChannelFormatKindFloat};
}
