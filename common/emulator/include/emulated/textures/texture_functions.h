#pragma once

/// CUDA's functions for texture objects.

#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "emulated/textures/sampling.h"
#include "texture_types.h"
#include "vector_types.h"

namespace tilelab::emulator {

/// The bits of an element's channels.
struct TexelBits {
  unsigned words[4] = {};
};

/// Reads an element at once, as a GPU does.
inline TexelBits read_texel(const void* address, int bytes) {
  TexelBits result;
  if (bytes == 1) {
    result.words[0] = *static_cast<const unsigned char*>(address);
  } else if (bytes == 2) {
    result.words[0] = *static_cast<const unsigned short*>(address);
  } else if (bytes == 4) {
    result.words[0] = *static_cast<const unsigned*>(address);
  } else if (bytes == 8) {
    const uint2 both = *static_cast<const uint2*>(address);
    result.words[0] = both.x, result.words[1] = both.y;
  } else {
    const uint4 all = *static_cast<const uint4*>(address);
    result.words[0] = all.x, result.words[1] = all.y;
    result.words[2] = all.z, result.words[3] = all.w;
  }
  return result;
}

/// The bits of one channel, extended to 32 as a register holds them.
inline unsigned channel_of(const TexelBits& texel, const Sample& sample, int channel) {
  const int bits = sample.channel_bits;
  if (bits == 32) return texel.words[channel];
  const int begin = channel * bits;
  const unsigned value = texel.words[begin / 32] >> (begin % 32) & ((1u << bits) - 1);
  if (sample.kind == ChannelKind::floating)
    return std::bit_cast<unsigned>(half_to_float(static_cast<std::uint16_t>(value)));
  const bool is_negative =
      sample.kind == ChannelKind::signed_integer && (value >> (bits - 1) & 1) != 0;
  return is_negative ? value | ~((1u << bits) - 1) : value;
}

/// The channel as a number that a filter can use.
inline float number_of(unsigned channel, const Sample& sample) {
  if (sample.kind == ChannelKind::floating) return std::bit_cast<float>(channel);
  const float largest = static_cast<float>(
      (1u << (sample.channel_bits - (sample.kind == ChannelKind::signed_integer ? 1 : 0))) - 1);
  if (sample.kind == ChannelKind::unsigned_integer) return static_cast<float>(channel) / largest;
  return std::fmax(static_cast<float>(static_cast<int>(channel)) / largest, -1.0f);
}

template <class T>
struct Channels {
  using Scalar = decltype(T{}.x);
  static constexpr int count = sizeof(T) / sizeof(Scalar);
};
template <class T>
requires std::is_arithmetic_v<T>
struct Channels<T> {
  using Scalar = T;
  static constexpr int count = 1;
};

/// What a texture function returns: up to four registers as the channels of a T.
template <class T>
T from_registers(const unsigned (&registers)[4]) {
  using Scalar = typename Channels<T>::Scalar;
  static_assert(sizeof(Scalar) <= 4, "a texture has no channels of 64 bits");
  T result{};
  Scalar* const to = reinterpret_cast<Scalar*>(&result);
  for (int i = 0; i < Channels<T>::count; ++i) {
    if constexpr (std::is_same_v<Scalar, float>) {
      to[i] = std::bit_cast<float>(registers[i]);
    } else {
      to[i] = static_cast<Scalar>(registers[i]);
    }
  }
  return result;
}

/// One channel of an element, as a register holds it.
inline unsigned converted(unsigned channel, const Sample& sample) {
  return sample.is_normalized || sample.is_filtered
             ? std::bit_cast<unsigned>(number_of(channel, sample))
             : channel;
}

inline unsigned border_channel(const Sample& sample, int channel) {
  if (sample.kind == ChannelKind::floating || sample.is_normalized || sample.is_filtered) {
    return std::bit_cast<unsigned>(sample.border[channel]);
  }
  return static_cast<unsigned>(static_cast<long long>(sample.border[channel]));
}

template <class T>
T fetch(unsigned long long object, const TextureRequest& request) {
  const Sample sample = sample_texture(object, request);
  unsigned registers[4] = {};
  float sums[4] = {};
  for (int i = 0; i < sample.count; ++i) {
    const Texel& texel = sample.texels[i];
    const TexelBits bits =
        texel.address != nullptr ? read_texel(texel.address, sample.texel_bytes) : TexelBits{};
    for (int channel = 0; channel < sample.channels; ++channel) {
      registers[channel] = texel.address != nullptr
                               ? converted(channel_of(bits, sample, channel), sample)
                               : border_channel(sample, channel);
      if (sample.is_filtered) {
        sums[channel] += texel.weight * std::bit_cast<float>(registers[channel]);
      }
    }
  }
  if (sample.is_filtered) {
    for (int i = 0; i < 4; ++i) registers[i] = std::bit_cast<unsigned>(sums[i]);
  }
  return from_registers<T>(registers);
}

/// One channel of each of the four elements that a filter would read, in the order of CUDA.
template <class T>
T gather(unsigned long long object, float x, float y, int channel) {
  const Sample sample = sample_texture(object, {TextureShape::two, x, y, 0, 0, 0, true});
  // (0, 1), (1, 1), (1, 0), (0, 0)
  constexpr int order[4] = {2, 3, 1, 0};
  unsigned registers[4] = {};
  for (int i = 0; i < 4; ++i) {
    const Texel& texel = sample.texels[order[i]];
    registers[i] =
        texel.address != nullptr
            ? converted(channel_of(read_texel(texel.address, sample.texel_bytes), sample, channel),
                        sample)
            : border_channel(sample, channel);
  }
  return from_registers<T>(registers);
}

}  // namespace tilelab::emulator

// Each function also has a form that writes its result through a pointer.
#define TILELAB_TEXTURE(function, parameters, names, ...)                                \
  template <class T>                                                                     \
  inline T function(cudaTextureObject_t object, TILELAB_LIST parameters) {               \
    return tilelab::emulator::fetch<T>(object, __VA_ARGS__);                             \
  }                                                                                      \
  template <class T>                                                                     \
  inline void function(T* result, cudaTextureObject_t object, TILELAB_LIST parameters) { \
    *result = function<T>(object, TILELAB_LIST names);                                   \
  }
#define TILELAB_LIST(...) __VA_ARGS__
#define TILELAB_SHAPE tilelab::emulator::TextureShape

TILELAB_TEXTURE(tex1Dfetch, (int x), (x), {TILELAB_SHAPE::linear, std::bit_cast<float>(x), 0, 0})
TILELAB_TEXTURE(tex1D, (float x), (x), {TILELAB_SHAPE::one, x, 0, 0})
TILELAB_TEXTURE(tex2D, (float x, float y), (x, y), {TILELAB_SHAPE::two, x, y, 0})
TILELAB_TEXTURE(tex3D, (float x, float y, float z), (x, y, z), {TILELAB_SHAPE::three, x, y, z})
TILELAB_TEXTURE(tex1DLayered, (float x, int layer), (x, layer),
                {TILELAB_SHAPE::one, x, 0, 0, layer})
TILELAB_TEXTURE(tex2DLayered, (float x, float y, int layer), (x, y, layer),
                {TILELAB_SHAPE::two, x, y, 0, layer})
TILELAB_TEXTURE(texCubemap, (float x, float y, float z), (x, y, z), {TILELAB_SHAPE::cube, x, y, z})
TILELAB_TEXTURE(texCubemapLayered, (float x, float y, float z, int layer), (x, y, z, layer),
                {TILELAB_SHAPE::cube, x, y, z, layer})
TILELAB_TEXTURE(tex1DLod, (float x, float level), (x, level),
                {TILELAB_SHAPE::one, x, 0, 0, 0, level})
TILELAB_TEXTURE(tex2DLod, (float x, float y, float level), (x, y, level),
                {TILELAB_SHAPE::two, x, y, 0, 0, level})
TILELAB_TEXTURE(tex3DLod, (float x, float y, float z, float level), (x, y, z, level),
                {TILELAB_SHAPE::three, x, y, z, 0, level})

#undef TILELAB_SHAPE
#undef TILELAB_LIST
#undef TILELAB_TEXTURE

template <class T>
inline T tex2Dgather(cudaTextureObject_t object, float x, float y, int channel = 0) {
  return tilelab::emulator::gather<T>(object, x, y, channel);
}
template <class T>
inline void tex2Dgather(T* result, cudaTextureObject_t object, float x, float y, int channel = 0) {
  *result = tex2Dgather<T>(object, x, y, channel);
}
