#pragma once

/// Which elements a texture function reads, and what becomes of them. The runtime decides, and the
/// kernel itself reads, so that the observer sees each element of memory that is read.

#include <cstdint>

namespace tilelab::emulator {

/// How a function names an element.
enum class TextureShape { one, two, three, cube, linear };

struct TextureRequest {
  TextureShape shape;
  float x, y, z;
  int layer = 0;
  float level = 0;  ///< Of a mipmapped array.
  bool gathers =
      false;  ///< Whether the four elements for a filter are wanted instead of one value.
};

struct Texel {
  const void* address;  ///< Null for the color of the border.
  float weight;
};

/// How the bits of a channel become a number.
enum class ChannelKind : unsigned char { signed_integer, unsigned_integer, floating };

/// What a texture function has to read. If there is no filter, there is one element.
struct Sample {
  static constexpr int most_texels = 16;  // two levels of 2 x 2 x 2
  Texel texels[most_texels];
  int count = 0;
  int channels = 0;
  int channel_bits = 0;
  int texel_bytes = 0;
  ChannelKind kind = ChannelKind::unsigned_integer;
  bool is_normalized = false;  ///< Whether integers become numbers from -1 or 0 to 1.
  bool is_filtered = false;
  float border[4] = {};
};

Sample sample_texture(unsigned long long object, const TextureRequest& request);

/// An element of a surface, or null where there is none and the access reads 0 and writes nothing.
/// @param x_bytes  the position along x, in bytes
void* surface_element(unsigned long long object, TextureShape shape, int x_bytes, int y, int z,
                      int layer, unsigned bytes, int boundary_mode);

/// A half-precision number, which an array can hold.
float half_to_float(std::uint16_t bits);

}  // namespace tilelab::emulator
