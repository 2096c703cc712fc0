#pragma once

#include <vector>

#include "emulated/textures/arrays.h"

/// An array: its elements lie row by row in device memory, so that copies and kernels use it like
/// other memory.
struct cudaArray {
  cudaChannelFormatDesc channels;
  cudaExtent extent;  ///< As the program gave it: what is left out is 0.
  unsigned flags;
  char* memory;
  bool is_level;  ///< Whether it belongs to a mipmapped array, which frees it.

  std::size_t element_bytes() const {
    return static_cast<std::size_t>(channels.x + channels.y + channels.z + channels.w) / 8;
  }
  std::size_t rows() const { return extent.height > 0 ? extent.height : 1; }
  std::size_t slices() const { return extent.depth > 0 ? extent.depth : 1; }
  std::size_t pitch() const { return extent.width * element_bytes(); }
};

namespace tilelab::emulator {

/// Whether the array was made and not freed.
bool is_array(cudaArray_const_t array);

/// The levels of a mipmapped array, from the largest to the smallest. None if there is no such
/// array.
const std::vector<cudaArray_t>& levels_of(cudaMipmappedArray_const_t array);

}  // namespace tilelab::emulator
