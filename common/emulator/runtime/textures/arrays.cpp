#include "emulator/runtime/textures/arrays.h"

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include "cuda_runtime_api.h"
#include "emulator/runtime/answer.h"
#include "emulator/runtime/api_call.h"
#include "emulator/runtime/errors/errors.h"

namespace tilelab::emulator {
namespace {

std::map<cudaArray_const_t, std::unique_ptr<cudaArray>>& arrays() {
  static auto* map = new std::map<cudaArray_const_t, std::unique_ptr<cudaArray>>;
  return *map;
}

std::map<cudaMipmappedArray_const_t, std::vector<cudaArray_t>>& mipmapped_arrays() {
  static auto* map = new std::map<cudaMipmappedArray_const_t, std::vector<cudaArray_t>>;
  return *map;
}

/// Whether there are 1, 2 or 4 channels of the same 8, 16 or 32 bits.
bool is_valid(const cudaChannelFormatDesc& channels) {
  const int bits[] = {channels.x, channels.y, channels.z, channels.w};
  const auto count = std::count_if(std::begin(bits), std::end(bits), [](int b) { return b != 0; });
  if (count != 1 && count != 2 && count != 4) return false;
  for (int i = 0; i < count; ++i) {
    if (bits[i] != bits[0]) return false;
  }
  if (channels.f == cudaChannelFormatKindFloat) return bits[0] == 16 || bits[0] == 32;
  return channels.f != cudaChannelFormatKindNone &&
         (bits[0] == 8 || bits[0] == 16 || bits[0] == 32);
}

cudaError_t make(cudaArray_t* result, const cudaChannelFormatDesc* channels, cudaExtent extent,
                 unsigned flags, bool is_level) {
  if (!can_answer(result) || channels == nullptr || extent.width == 0) return cudaErrorInvalidValue;
  if (!is_valid(*channels)) {
    return explained(cudaErrorInvalidChannelDescriptor,
                     "An array has elements of 1, 2 or 4 channels of the same 8, 16 or 32 bits");
  }
  const bool is_cube = (flags & cudaArrayCubemap) != 0;
  if (is_cube && (extent.width != extent.height || extent.depth % 6 != 0)) {
    return explained(cudaErrorInvalidValue, "A cubemap has six square faces");
  }
  auto array = std::make_unique<cudaArray>(cudaArray{*channels, extent, flags, nullptr, is_level});
  const std::size_t bytes = array->pitch() * array->rows() * array->slices();
  // A call may answer only to memory of the caller: the stack, but not the runtime's heap.
  decltype(array->memory) memory = nullptr;
  if (const cudaError_t error = cudaMalloc(&memory, bytes)) return error;
  array->memory = memory;
  *result = array.get();
  arrays().emplace(array.get(), std::move(array));
  return cudaSuccess;
}

cudaError_t release(cudaArray_t array) {
  const cudaError_t error = cudaFree(array->memory);
  arrays().erase(array);
  return error;
}

std::size_t half_of(std::size_t size) { return size > 1 ? size / 2 : size; }

}  // namespace

bool is_array(cudaArray_const_t array) { return arrays().contains(array); }

const std::vector<cudaArray_t>& levels_of(cudaMipmappedArray_const_t array) {
  static const std::vector<cudaArray_t> none;
  const auto found = mipmapped_arrays().find(array);
  return found != mipmapped_arrays().end() ? found->second : none;
}

}  // namespace tilelab::emulator

using namespace tilelab::emulator;

extern "C" {

cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* channels,
                              cudaExtent extent, unsigned flags) {
  return api_call([&] { return make(array, channels, extent, flags, false); });
}

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* channels,
                            std::size_t width, std::size_t height, unsigned flags) {
  return cudaMalloc3DArray(array, channels, {width, height, 0}, flags);
}

cudaError_t cudaFreeArray(cudaArray_t array) {
  return api_call([&] {
    if (array == nullptr) return cudaSuccess;
    return is_array(array) && !array->is_level ? release(array) : cudaErrorInvalidValue;
  });
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* channels, cudaExtent* extent, unsigned* flags,
                             cudaArray_t array) {
  return api_call([&] {
    if (!is_array(array)) return cudaErrorInvalidResourceHandle;
    if (channels != nullptr) *channels = array->channels;
    if (extent != nullptr) *extent = array->extent;
    if (flags != nullptr) *flags = array->flags;
    return cudaSuccess;
  });
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* channels, cudaArray_const_t array) {
  return cudaArrayGetInfo(channels, nullptr, nullptr, const_cast<cudaArray_t>(array));
}

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* array,
                                     const cudaChannelFormatDesc* channels, cudaExtent extent,
                                     unsigned levels, unsigned flags) {
  return api_call([&] {
    if (!can_answer(array) || levels == 0) return cudaErrorInvalidValue;
    std::vector<cudaArray_t> made;
    for (unsigned level = 0; level < levels; ++level) {
      cudaArray_t one = nullptr;
      if (const cudaError_t error = make(&one, channels, extent, flags, true)) {
        for (const cudaArray_t each : made) release(each);
        return error;
      }
      made.push_back(one);
      const bool keeps_depth = (flags & (cudaArrayLayered | cudaArrayCubemap)) != 0;
      extent = {half_of(extent.width), half_of(extent.height),
                keeps_depth ? extent.depth : half_of(extent.depth)};
    }
    // The handle is the address of its first level: unique, and never looked at.
    *array = reinterpret_cast<cudaMipmappedArray_t>(made.front());
    mipmapped_arrays()[*array] = std::move(made);
    return cudaSuccess;
  });
}

cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* level, cudaMipmappedArray_const_t array,
                                       unsigned number) {
  return api_call([&] {
    const std::vector<cudaArray_t>& levels = levels_of(array);
    return number < levels.size() ? answer(level, levels[number]) : cudaErrorInvalidValue;
  });
}

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array) {
  return api_call([&] {
    if (array == nullptr) return cudaSuccess;
    const std::vector<cudaArray_t> levels = levels_of(array);
    if (levels.empty()) return cudaErrorInvalidResourceHandle;
    for (const cudaArray_t level : levels) release(level);
    mipmapped_arrays().erase(array);
    return cudaSuccess;
  });
}

}  // extern "C"
