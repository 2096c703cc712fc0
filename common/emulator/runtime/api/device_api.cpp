#include <algorithm>
#include <cstring>
#include <optional>

#include "cuda_runtime_api.h"
#include "emulator/emulator.h"
#include "emulator/runtime/answer.h"
#include "emulator/runtime/api/kernel_attributes.h"
#include "emulator/runtime/api_call.h"
#include "emulator/runtime/device_limits.h"
#include "emulator/runtime/errors/errors.h"
#include "emulator/runtime/execution/fiber.h"
#include "emulator/runtime/listener.h"
#include "emulator/runtime/memory/device_heap.h"
#include "emulator/runtime/memory/device_memory.h"
#include "emulator/runtime/memory/host_keeper.h"

using namespace tilelab::emulator;

namespace {

constexpr int version = CUDART_VERSION;
constexpr int largest_pitch = 2147483647;
constexpr int clock_khz = 1000000;  // clock64() counts nanoseconds
constexpr int memory_bus_bits = 64;
constexpr int texture_alignment = 512;
constexpr char bus_id[] = "0000:00:00.0";

int multiprocessor_count = device_limits::multiprocessors;

std::optional<int> attribute_value(cudaDeviceAttr attribute) {
  using namespace device_limits;
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
      return threads_per_block;
    case cudaDevAttrMaxBlockDimX:
      return block_x;
    case cudaDevAttrMaxBlockDimY:
      return block_y;
    case cudaDevAttrMaxBlockDimZ:
      return block_z;
    case cudaDevAttrMaxGridDimX:
      return grid_x;
    case cudaDevAttrMaxGridDimY:
      return grid_y;
    case cudaDevAttrMaxGridDimZ:
      return grid_z;
    case cudaDevAttrMaxSharedMemoryPerBlock:
      return shared_bytes_per_block;
    case cudaDevAttrTotalConstantMemory:
      return constant_bytes;
    case cudaDevAttrWarpSize:
      return 32;
    case cudaDevAttrMaxRegistersPerBlock:
    case cudaDevAttrMaxRegistersPerMultiprocessor:
      return registers;
    case cudaDevAttrMultiProcessorCount:
      return multiprocessor_count;
    case cudaDevAttrL2CacheSize:
      return l2_cache_bytes;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      return threads_per_multiprocessor;
    case cudaDevAttrUnifiedAddressing:
    case cudaDevAttrCooperativeLaunch:
    case cudaDevAttrManagedMemory:
    case cudaDevAttrMemoryPoolsSupported:
    case cudaDevAttrCanMapHostMemory:
      return 1;
    case cudaDevAttrMaxPitch:
      return largest_pitch;
    case cudaDevAttrClockRate:
    case cudaDevAttrMemoryClockRate:
      return clock_khz;
    case cudaDevAttrGlobalMemoryBusWidth:
      return memory_bus_bits;
    case cudaDevAttrTextureAlignment:
      return texture_alignment;
    case cudaDevAttrComputeCapabilityMajor:
      return compute_capability_major;
    case cudaDevAttrComputeCapabilityMinor:
      return compute_capability_minor;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      return shared_bytes_per_multiprocessor;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      return shared_bytes_per_block_optin;
    case cudaDevAttrMaxBlocksPerMultiprocessor:
      return blocks_per_multiprocessor;
    case cudaDevAttrReservedSharedMemoryPerBlock:
      return reserved_shared_bytes_per_block;
    default:
      break;
  }
  // What the device does not have.
  if (attribute >= 1 && attribute < cudaDevAttrMax) return 0;
  return std::nullopt;
}

cudaDeviceProp properties_of_device() {
  using namespace device_limits;
  cudaDeviceProp device{};
  std::strncpy(device.name, "TileLab emulator", sizeof device.name - 1);
  device.totalGlobalMem = DeviceMemory::instance().capacity();
  device.sharedMemPerBlock = shared_bytes_per_block;
  device.regsPerBlock = registers;
  device.warpSize = 32;
  device.memPitch = largest_pitch;
  device.maxThreadsPerBlock = threads_per_block;
  device.maxThreadsDim[0] = block_x;
  device.maxThreadsDim[1] = block_y;
  device.maxThreadsDim[2] = block_z;
  device.maxGridSize[0] = grid_x;
  device.maxGridSize[1] = grid_y;
  device.maxGridSize[2] = grid_z;
  device.totalConstMem = constant_bytes;
  device.major = compute_capability_major;
  device.minor = compute_capability_minor;
  device.textureAlignment = texture_alignment;
  device.multiProcessorCount = multiprocessor_count;
  device.canMapHostMemory = 1;
  device.unifiedAddressing = 1;
  device.managedMemory = 1;
  device.clockRate = clock_khz;
  device.memoryClockRate = clock_khz;
  device.memoryBusWidth = memory_bus_bits;
  device.l2CacheSize = l2_cache_bytes;
  device.cooperativeLaunch = 1;
  device.maxThreadsPerMultiProcessor = threads_per_multiprocessor;
  device.sharedMemPerMultiprocessor = shared_bytes_per_multiprocessor;
  device.regsPerMultiprocessor = registers;
  device.sharedMemPerBlockOptin = shared_bytes_per_block_optin;
  device.maxBlocksPerMultiProcessor = blocks_per_multiprocessor;
  device.reservedSharedMemPerBlock = reserved_shared_bytes_per_block;
  return device;
}

cudaError_t wait_for_device() {
  tell(&Listener::host_waits_for_device);
  return cudaSuccess;
}

/// Also clears a sticky fault, after which a real device would need a new process.
cudaError_t reset_device(const char* name = __builtin_FUNCTION()) {
  api_call([] { return cudaSuccess; }, name);
  DeviceMemory::instance().release_all();
  forget_kernel_attributes();
  clear_errors();
  return cudaSuccess;
}

std::size_t limits[] = {fiber_stack_bytes, 1 << 20, 8 << 20, 0, 0, 0, 0};

bool is_limit(cudaLimit limit) { return limit >= 0 && limit <= cudaLimitPersistingL2CacheSize; }

unsigned device_flags = cudaDeviceScheduleAuto;

}  // namespace

void tilelab::emulator::show_multiprocessors(int count) { multiprocessor_count = count; }

extern "C" {

cudaError_t cudaDeviceSynchronize() { return api_call(wait_for_device); }
cudaError_t cudaDeviceReset() { return reset_device(); }

cudaError_t cudaGetDevice(int* device) {
  return api_call([&] { return answer(device, 0); });
}
cudaError_t cudaGetDeviceCount(int* count) {
  return api_call([&] { return answer(count, 1); });
}
cudaError_t cudaDriverGetVersion(int* value) {
  return api_call([&] { return answer(value, version); });
}
cudaError_t cudaRuntimeGetVersion(int* value) {
  return api_call([&] { return answer(value, version); });
}

cudaError_t cudaSetDevice(int device) {
  return api_call([&] { return device == 0 ? cudaSuccess : cudaErrorInvalidDevice; });
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return api_call([&] {
    if (device != 0) return cudaErrorInvalidDevice;
    return answer(properties, properties_of_device());
  });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return api_call([&] {
    if (device != 0) return cudaErrorInvalidDevice;
    const std::optional<int> known = attribute_value(attribute);
    return known ? answer(value, *known) : cudaErrorInvalidValue;
  });
}

cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit) {
  return api_call(
      [&] { return is_limit(limit) ? answer(value, limits[limit]) : cudaErrorInvalidValue; });
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t value) {
  return api_call([&] {
    if (!is_limit(limit)) return cudaErrorInvalidValue;
    limits[limit] = value;
    if (limit == cudaLimitMallocHeapSize) DeviceHeap::instance().set_limit(value);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return api_call(wait_for_device); }

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  return api_call([&] { return answer(config, cudaFuncCachePreferNone); });
}

cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return api_call(wait_for_device); }

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  return api_call([&] { return answer(config, cudaSharedMemBankSizeFourByte); });
}

cudaError_t cudaSetDeviceFlags(unsigned flags) {
  return api_call([&] {
    device_flags = flags;
    return cudaSuccess;
  });
}

cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  return api_call([&] { return answer(flags, device_flags); });
}

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) {
  return api_call([&] { return answer(device, 0); });
}

cudaError_t cudaInitDevice(int device, unsigned flags_of_device, unsigned flags) {
  return api_call([&] {
    if (device != 0) return cudaErrorInvalidDevice;
    if (flags == cudaInitDeviceFlagsAreValid) device_flags = flags_of_device;
    return flags <= cudaInitDeviceFlagsAreValid ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text) {
  return api_call([&] {
    if (text == nullptr || std::strcmp(text, bus_id) != 0) return cudaErrorInvalidDevice;
    return answer(device, 0);
  });
}

cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device) {
  return api_call([&] {
    if (device != 0) return cudaErrorInvalidDevice;
    if (!can_answer(text) || length < static_cast<int>(sizeof bus_id)) return cudaErrorInvalidValue;
    if (!may_write_host(text, sizeof bus_id)) return cudaErrorInvalidValue;
    std::memcpy(text, bus_id, sizeof bus_id);
    return cudaSuccess;
  });
}

// There is one device, so it has no peer.
cudaError_t cudaDeviceCanAccessPeer(int* can_access, int, int) {
  return api_call([&] { return answer(can_access, 0); });
}

cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) {
  return api_call([] { return cudaErrorInvalidDevice; });
}

cudaError_t cudaDeviceDisablePeerAccess(int) { return cudaDeviceEnablePeerAccess(0, 0); }

cudaError_t cudaThreadSynchronize() { return api_call(wait_for_device); }
cudaError_t cudaThreadExit() { return reset_device(); }
cudaError_t cudaProfilerStart() { return api_call(wait_for_device); }
cudaError_t cudaProfilerStop() { return api_call(wait_for_device); }

}  // extern "C"
