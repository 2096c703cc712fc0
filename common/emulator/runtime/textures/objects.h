#pragma once

#include <cstddef>
#include <vector>

#include "surface_types.h"
#include "texture_types.h"

namespace tilelab::emulator {

/// Elements in device memory, as a texture or a surface sees them.
struct Image {
  char* memory;
  std::size_t pitch;
  int width, height, depth;  ///< In elements, at least 1 each; the depth of a layered array is 1.
  int layers;
};

struct TextureObject {
  cudaResourceDesc resource;
  cudaTextureDesc texture;
  cudaChannelFormatDesc channels;
  std::vector<Image> levels;
};

struct SurfaceObject {
  Image image;
};

/// Ends the launch if a kernel uses an object that does not exist.
const TextureObject& texture_object(cudaTextureObject_t object);
const SurfaceObject& surface_object(cudaSurfaceObject_t object);

}  // namespace tilelab::emulator
