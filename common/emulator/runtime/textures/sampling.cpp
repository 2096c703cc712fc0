// Which elements a texture reads, as "Texture Fetching" in the CUDA Programming Guide says.

#include "emulated/textures/sampling.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "emulator/runtime/execution/scheduler.h"
#include "emulator/runtime/textures/objects.h"

namespace tilelab::emulator {
namespace {

constexpr long long outside = -1;

/// The element that the index means under an address mode, or `outside`.
long long addressed(long long index, int size, cudaTextureAddressMode mode) {
  if (index >= 0 && index < size) return index;
  switch (mode) {
    case cudaAddressModeWrap:
      return ((index % size) + size) % size;
    case cudaAddressModeMirror: {
      const long long period = 2LL * size;
      const long long at = ((index % period) + period) % period;
      return at < size ? at : period - 1 - at;
    }
    case cudaAddressModeBorder:
      return outside;
    default:
      return std::clamp<long long>(index, 0, size - 1);
  }
}

/// The two elements along one dimension and the weight of the second; without a filter, the first
/// alone counts.
struct Axis {
  long long elements[2] = {0, 0};
  float weight = 0;
};

Axis axis(float coordinate, int size, cudaTextureAddressMode mode, const TextureObject& object,
          bool is_filtered) {
  const bool is_normalized = object.texture.normalizedCoords != 0;
  // Where coordinates are not normalized, there are only two modes.
  if (!is_normalized && mode != cudaAddressModeBorder) mode = cudaAddressModeClamp;
  // Coordinates that repeat are reduced first, so that large ones keep their precision.
  double at = coordinate;
  if (is_normalized && mode == cudaAddressModeWrap) at -= std::floor(at);
  if (is_normalized) at *= size;
  constexpr double far = 1e9;
  at = std::isnan(at) ? 0 : std::clamp(at, -far, far);
  if (is_filtered) at -= 0.5;
  const double floor = std::floor(at);
  const auto index = static_cast<long long>(floor);
  Axis result;
  for (int i = 0; i < 2; ++i) result.elements[i] = addressed(index + i, size, mode);
  // Hardware keeps 8 bits of the weight.
  result.weight = static_cast<float>(std::round((at - floor) * 256) / 256);
  return result;
}

/// The face of a cube that a direction points to, and the place on it, from 0 to 1.
struct FacePlace {
  int face;
  float x, y;
};

FacePlace face_place(float x, float y, float z) {
  const float ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
  int face;
  float s, t, m;
  if (ax >= ay && ax >= az) {
    face = x >= 0 ? 0 : 1, m = ax, s = x >= 0 ? -z : z, t = -y;
  } else if (ay >= az) {
    face = y >= 0 ? 2 : 3, m = ay, s = x, t = y >= 0 ? z : -z;
  } else {
    face = z >= 0 ? 4 : 5, m = az, s = z >= 0 ? x : -x, t = -y;
  }
  return {face, (s / m + 1) / 2, (t / m + 1) / 2};
}

class Sampler {
 public:
  Sampler(const TextureObject& object, Sample& sample) : object_(object), sample_(sample) {}

  void fetch(const Image& image, const TextureRequest& request, float weight) {
    if (request.shape == TextureShape::linear) return fetch_linear(image, request);
    const bool is_filtered = sample_.is_filtered || request.gathers;
    const auto& modes = object_.texture.addressMode;
    TextureRequest at = request;
    int layer = request.layer;
    if (request.shape == TextureShape::cube) {
      const FacePlace place = face_place(request.x, request.y, request.z);
      at.x = place.x, at.y = place.y;
      layer = request.layer * 6 + place.face;
    }
    const Axis x = axis(at.x, image.width, modes[0], object_, is_filtered);
    Axis y, z;
    if (request.shape != TextureShape::one) {
      y = axis(at.y, image.height, modes[1], object_, is_filtered);
    }
    if (request.shape == TextureShape::three) {
      z = axis(at.z, image.depth, modes[2], object_, is_filtered);
    }
    const int steps_x = is_filtered ? 2 : 1;
    const int steps_y = is_filtered && request.shape != TextureShape::one ? 2 : 1;
    const int steps_z = is_filtered && request.shape == TextureShape::three ? 2 : 1;
    layer = std::clamp(layer, 0, image.layers - 1);
    for (int k = 0; k < steps_z; ++k) {
      for (int j = 0; j < steps_y; ++j) {
        for (int i = 0; i < steps_x; ++i) {
          const float share = part(x, i, steps_x) * part(y, j, steps_y) * part(z, k, steps_z);
          // An element without weight is not read.
          if (share == 0 && !request.gathers) continue;
          add(address(image, x.elements[i], y.elements[j], z.elements[k], layer), share * weight);
        }
      }
    }
  }

 private:
  static float part(const Axis& axis, int i, int steps) {
    if (steps == 1) return 1;
    return i == 0 ? 1 - axis.weight : axis.weight;
  }

  /// Memory without an array has no address modes: what is outside is 0.
  void fetch_linear(const Image& image, const TextureRequest& request) {
    const int index = std::bit_cast<int>(request.x);
    const bool is_inside = index >= 0 && index < image.width;
    if (!is_inside) std::fill(std::begin(sample_.border), std::end(sample_.border), 0.0f);
    add(is_inside ? address(image, index, 0, 0, 0) : nullptr, 1);
  }

  const char* address(const Image& image, long long x, long long y, long long z, int layer) const {
    if (x == outside || y == outside || z == outside) return nullptr;
    const auto rows = static_cast<std::size_t>((z + layer) * image.height + y);
    return image.memory + rows * image.pitch +
           static_cast<std::size_t>(x) * static_cast<std::size_t>(sample_.texel_bytes);
  }

  void add(const char* address, float weight) {
    sample_.texels[sample_.count++] = {address, weight};
  }

  const TextureObject& object_;
  Sample& sample_;
};

void describe(const TextureObject& object, Sample& sample) {
  const cudaChannelFormatDesc& channels = object.channels;
  sample.channel_bits = channels.x;
  sample.channels = channels.w != 0 ? 4 : channels.y != 0 ? 2 : 1;
  sample.texel_bytes = sample.channels * sample.channel_bits / 8;
  sample.kind = channels.f == cudaChannelFormatKindFloat    ? ChannelKind::floating
                : channels.f == cudaChannelFormatKindSigned ? ChannelKind::signed_integer
                                                            : ChannelKind::unsigned_integer;
  sample.is_normalized = object.texture.readMode == cudaReadModeNormalizedFloat;
  std::copy(std::begin(object.texture.borderColor), std::end(object.texture.borderColor),
            sample.border);
}

/// The level of a mipmapped array, within what the texture allows.
float level_of(const TextureObject& object, float level) {
  const cudaTextureDesc& texture = object.texture;
  const float last = static_cast<float>(object.levels.size() - 1);
  const float lowest = std::clamp(texture.minMipmapLevelClamp, 0.0f, last);
  const float highest = std::clamp(texture.maxMipmapLevelClamp, lowest, last);
  return std::clamp(level + texture.mipmapLevelBias, lowest, highest);
}

}  // namespace

Sample sample_texture(unsigned long long handle, const TextureRequest& request) {
  const TextureObject& object = texture_object(handle);
  Sample sample;
  describe(object, sample);
  sample.is_filtered = object.texture.filterMode == cudaFilterModeLinear &&
                       request.shape != TextureShape::linear && !request.gathers;
  Sampler sampler(object, sample);
  if (object.levels.size() == 1) {
    sampler.fetch(object.levels.front(), request, 1);
    return sample;
  }
  const float level = level_of(object, request.level);
  if (object.texture.mipmapFilterMode == cudaFilterModePoint) {
    const auto nearest = static_cast<std::size_t>(std::lround(level));
    sampler.fetch(object.levels[nearest], request, 1);
    return sample;
  }
  const auto lower = static_cast<std::size_t>(level);
  const float share = std::round((level - static_cast<float>(lower)) * 256) / 256;
  if (share < 1) sampler.fetch(object.levels[lower], request, 1 - share);
  if (share > 0) {
    sample.is_filtered = true;
    sampler.fetch(object.levels[lower + 1], request, share);
  }
  return sample;
}

void* surface_element(unsigned long long handle, TextureShape shape, int x_bytes, int y, int z,
                      int layer, unsigned bytes, int boundary_mode) {
  const Image& image = surface_object(handle).image;
  if (shape == TextureShape::cube) layer = z, z = 0;
  const int size = static_cast<int>(bytes);
  if (x_bytes % size != 0) {
    Scheduler::running()->fault(cudaErrorMisalignedAddress,
                                "uses a position in a surface that is not a multiple of the "
                                "element's size (positions along x are in bytes)");
  }
  const int row = static_cast<int>(image.pitch);
  const bool is_inside = x_bytes >= 0 && x_bytes <= row - size && y >= 0 && y < image.height &&
                         z >= 0 && z < image.depth && layer >= 0 && layer < image.layers;
  if (!is_inside && boundary_mode == cudaBoundaryModeZero) return nullptr;
  if (!is_inside && boundary_mode == cudaBoundaryModeTrap) {
    Scheduler::running()->fault(cudaErrorIllegalAddress,
                                "uses a position outside of a surface (positions along x are in "
                                "bytes)");
  }
  const auto column = static_cast<std::size_t>(std::clamp(x_bytes, 0, row - size));
  const int slice = std::clamp(z, 0, image.depth - 1) + std::clamp(layer, 0, image.layers - 1);
  const int line = slice * image.height + std::clamp(y, 0, image.height - 1);
  return image.memory + static_cast<std::size_t>(line) * image.pitch + column;
}

float half_to_float(std::uint16_t bits) {
  const unsigned exponent = bits >> 10 & 31;
  const unsigned fraction = bits & 1023;
  float value;
  if (exponent == 31) {
    value = fraction != 0 ? NAN : INFINITY;
  } else if (exponent == 0) {
    value = std::ldexp(static_cast<float>(fraction), -24);
  } else {
    value = std::ldexp(static_cast<float>(fraction + 1024), static_cast<int>(exponent) - 25);
  }
  return (bits & 0x8000) != 0 ? -value : value;
}

}  // namespace tilelab::emulator
