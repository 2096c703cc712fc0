#include "emulator/runtime/api/kernel_attributes.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "cuda_runtime_api.h"
#include "emulator/runtime/answer.h"
#include "emulator/runtime/api/kernel_notes.h"
#include "emulator/runtime/api_call.h"
#include "emulator/runtime/device_limits.h"
#include "emulator/runtime/recording/recorder.h"
#include "emulator/runtime/round_up.h"

namespace tilelab::emulator {
namespace {

std::unordered_map<const void*, std::size_t>& raised_limits() {
  static auto* limits = new std::unordered_map<const void*, std::size_t>;
  return *limits;
}

std::unordered_set<const void*>& kernels_with_large_clusters() {
  static auto* kernels = new std::unordered_set<const void*>;
  return *kernels;
}

/// What the kernel takes, as far as that is known: the emulator counts no registers, and of the
/// `__shared__` variables it knows the kernel's own, but not those of the functions that it calls.
Recorder::Resources resources_of(const void* kernel) {
  if (recorder != nullptr) return recorder->resources_of(kernel);
  Recorder::Resources resources;
  resources.static_shared_bytes = notes_of(kernel).shared_bytes;
  return resources;
}

/// For how many warps a multiprocessor has registers. Each of its quarters has its own, and a warp
/// takes them in units of 256.
int warps_by_registers(int per_thread) {
  const auto taken = static_cast<int>(round_up(static_cast<std::size_t>(per_thread) * 32, 256));
  return device_limits::registers / 4 / std::max(taken, 256) * 4;
}

}  // namespace

std::size_t static_shared_bytes(const void* kernel) {
  return resources_of(kernel).static_shared_bytes;
}

unsigned most_threads(const void* kernel) {
  const unsigned bounds = notes_of(kernel).most_threads;
  return bounds == 0 ? device_limits::threads_per_block
                     : std::min(bounds, device_limits::threads_per_block);
}

std::size_t dynamic_shared_limit(const void* kernel) {
  using device_limits::shared_bytes_per_block;
  std::size_t limit =
      shared_bytes_per_block - std::min(static_shared_bytes(kernel), shared_bytes_per_block);
  for (const auto& [function, bytes] : raised_limits()) {
    if (kernel == nullptr || kernel == function) limit = std::max(limit, bytes);
  }
  return limit;
}

bool allows_large_clusters(const void* kernel) {
  return kernels_with_large_clusters().contains(kernel);
}

void forget_kernel_attributes() {
  raised_limits().clear();
  kernels_with_large_clusters().clear();
}

}  // namespace tilelab::emulator

using namespace tilelab::emulator;

extern "C" {

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  return api_call([&] {
    if (function == nullptr) return cudaErrorInvalidDeviceFunction;
    if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout) {
      return value >= -1 && value <= 100 ? cudaSuccess : cudaErrorInvalidValue;
    }
    if (attribute == cudaFuncAttributeClusterSchedulingPolicyPreference) return cudaSuccess;
    if (attribute == cudaFuncAttributeNonPortableClusterSizeAllowed) {
      if (value == 0) kernels_with_large_clusters().erase(function);
      if (value != 0) kernels_with_large_clusters().insert(function);
      return cudaSuccess;
    }
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize || value < 0) {
      return cudaErrorInvalidValue;
    }
    using device_limits::shared_bytes_per_block_optin;
    const std::size_t taken = std::min(static_shared_bytes(function), shared_bytes_per_block_optin);
    if (const std::size_t most = shared_bytes_per_block_optin - taken;
        static_cast<std::size_t>(value) > most) {
      return explained(cudaErrorInvalidValue,
                       "A block may have at most %zu bytes of dynamic shared memory%s", most,
                       taken > 0 ? " in addition to the kernel's own arrays" : "");
    }
    raised_limits()[function] = static_cast<std::size_t>(value);
    return cudaSuccess;
  });
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  return api_call([&] {
    if (!can_answer(attributes)) return cudaErrorInvalidValue;
    if (function == nullptr) return cudaErrorInvalidDeviceFunction;
    constexpr int architecture =
        10 * device_limits::compute_capability_major + device_limits::compute_capability_minor;
    *attributes = {};
    attributes->maxThreadsPerBlock = static_cast<int>(most_threads(function));
    attributes->numRegs = resources_of(function).registers;
    attributes->sharedSizeBytes = static_shared_bytes(function);
    attributes->ptxVersion = architecture;
    attributes->binaryVersion = architecture;
    attributes->maxDynamicSharedSizeBytes = static_cast<int>(dynamic_shared_limit(function));
    attributes->preferredShmemCarveout = cudaSharedmemCarveoutDefault;
    return cudaSuccess;
  });
}

cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache) {
  return api_call(
      [&] { return function != nullptr ? cudaSuccess : cudaErrorInvalidDeviceFunction; });
}

cudaError_t cudaFuncSetSharedMemConfig(const void* function, cudaSharedMemConfig) {
  return cudaFuncSetCacheConfig(function, cudaFuncCachePreferNone);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function,
                                                          int block_size,
                                                          std::size_t dynamic_shared_bytes) {
  return api_call([&] {
    using namespace device_limits;
    if (!can_answer(blocks) || block_size <= 0) return cudaErrorInvalidValue;
    if (function == nullptr) return cudaErrorInvalidDeviceFunction;
    if (static_cast<unsigned>(block_size) > most_threads(function) ||
        dynamic_shared_bytes > dynamic_shared_limit(function)) {
      *blocks = 0;
      return cudaSuccess;
    }
    // A multiprocessor has room for whole warps.
    const int rounded = (block_size + 31) / 32 * 32;
    const Recorder::Resources kernel = resources_of(function);
    const std::size_t shared = round_up(kernel.static_shared_bytes + dynamic_shared_bytes, 128) +
                               reserved_shared_bytes_per_block;
    *blocks = std::min({blocks_per_multiprocessor, threads_per_multiprocessor / rounded,
                        warps_by_registers(kernel.registers) / (rounded / 32),
                        static_cast<int>(shared_bytes_per_multiprocessor / shared)});
    return cudaSuccess;
  });
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, const void* function,
                                                      int blocks, int block_size) {
  return api_call([&] {
    using namespace device_limits;
    const bool is_block = block_size > 0 && static_cast<unsigned>(block_size) <= threads_per_block;
    if (!is_block || blocks <= 0 || blocks > blocks_per_multiprocessor) {
      return cudaErrorInvalidValue;
    }
    if (function == nullptr) return cudaErrorInvalidDeviceFunction;
    constexpr std::size_t unit = 128;
    const auto count = static_cast<std::size_t>(blocks);
    const std::size_t share = shared_bytes_per_multiprocessor / count / unit * unit;
    const std::size_t taken = reserved_shared_bytes_per_block + static_shared_bytes(function);
    const std::size_t left = share - std::min(share, taken);
    return answer(bytes, std::min(left, dynamic_shared_limit(function)));
  });
}

/// The flag is about caches, which the emulator does not have.
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks,
                                                                   const void* function,
                                                                   int block_size,
                                                                   std::size_t dynamic_shared_bytes,
                                                                   unsigned flags) {
  if (flags > cudaOccupancyDisableCachingOverride) {
    return api_call([] { return cudaErrorInvalidValue; });
  }
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, block_size,
                                                       dynamic_shared_bytes);
}

}  // extern "C"
