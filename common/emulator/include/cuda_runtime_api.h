#pragma once

/// The runtime API of the emulated device. Names, arguments and errors are CUDA's. There is one
/// device, everything runs in the order of the calls, and every call has finished when it returns.

#include <cstddef>
#include <type_traits>

#include "driver_types.h"
#include "emulated/api/device_relations.h"
#include "emulated/api/pool_api.h"
#include "emulated/graphs/graph_api.h"
#include "emulated/site.h"
#include "emulated/textures/texture_api.h"
#include "vector_types.h"

#define CUDART_VERSION 13000
#define CUDART_CB

extern "C" {

// Errors
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
const char* cudaGetErrorName(cudaError_t error);
const char* cudaGetErrorString(cudaError_t error);

// Device
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaDeviceReset();
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device);
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);
cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit);
cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t value);
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config);
cudaError_t cudaSetDeviceFlags(unsigned flags);
cudaError_t cudaGetDeviceFlags(unsigned* flags);
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* properties);
cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device);
cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text);
/// @param flags  whether the device's flags are valid, as cudaInitDeviceFlagsAreValid
cudaError_t cudaInitDevice(int device, unsigned device_flags, unsigned flags);
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config);
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config);
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config);
cudaError_t cudaDeviceCanAccessPeer(int* can_access, int device, int peer);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags);
cudaError_t cudaDeviceDisablePeerAccess(int peer);
// The names of CUDA's first releases
cudaError_t cudaThreadSynchronize();
cudaError_t cudaThreadExit();
cudaError_t cudaDriverGetVersion(int* version);
cudaError_t cudaRuntimeGetVersion(int* version);

// Device memory
cudaError_t cudaMalloc(void** pointer, std::size_t bytes);
cudaError_t cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width,
                            std::size_t height);
cudaError_t cudaFree(void* pointer);
cudaError_t cudaMallocAsync(void** pointer, std::size_t bytes, cudaStream_t stream);
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream);
cudaError_t cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total_bytes);
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer);

// Host memory
cudaError_t cudaMallocHost(void** pointer, std::size_t bytes);
cudaError_t cudaHostAlloc(void** pointer, std::size_t bytes, unsigned flags);
cudaError_t cudaFreeHost(void* pointer);
cudaError_t cudaHostRegister(void* pointer, std::size_t bytes, unsigned flags);
cudaError_t cudaHostUnregister(void* pointer);
cudaError_t cudaHostGetDevicePointer(void** device_pointer, void* host_pointer, unsigned flags);

cudaError_t cudaHostGetFlags(unsigned* flags, void* pointer);

// Managed memory
cudaError_t cudaMallocManaged(void** pointer, std::size_t bytes,
                              unsigned flags = cudaMemAttachGlobal);
cudaError_t cudaMemAdvise(const void* pointer, std::size_t bytes, cudaMemoryAdvise advice,
                          int device);
cudaError_t cudaMemPrefetchAsync(const void* pointer, std::size_t bytes, int device,
                                 cudaStream_t stream = nullptr);
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, std::size_t bytes = 0,
                                     unsigned flags = cudaMemAttachSingle);

// Copies
cudaError_t cudaMemcpyPeer(void* destination, int destination_device, const void* source,
                           int source_device, std::size_t bytes);
cudaError_t cudaMemcpyPeerAsync(void* destination, int destination_device, const void* source,
                                int source_device, std::size_t bytes,
                                cudaStream_t stream = nullptr);
cudaError_t cudaMemcpy(void* destination, const void* source, std::size_t bytes,
                       cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void* destination, const void* source, std::size_t bytes,
                            cudaMemcpyKind kind, cudaStream_t stream = nullptr);
cudaError_t cudaMemcpy2D(void* destination, std::size_t destination_pitch, const void* source,
                         std::size_t source_pitch, std::size_t width, std::size_t height,
                         cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DAsync(void* destination, std::size_t destination_pitch, const void* source,
                              std::size_t source_pitch, std::size_t width, std::size_t height,
                              cudaMemcpyKind kind, cudaStream_t stream = nullptr);
cudaError_t cudaMemset(void* pointer, int value, std::size_t bytes);
cudaError_t cudaMemsetAsync(void* pointer, int value, std::size_t bytes,
                            cudaStream_t stream = nullptr);
cudaError_t cudaMemset2D(void* pointer, std::size_t pitch, int value, std::size_t width,
                         std::size_t height);
cudaError_t cudaMemset2DAsync(void* pointer, std::size_t pitch, int value, std::size_t width,
                              std::size_t height, cudaStream_t stream = nullptr);

// Streams
cudaError_t cudaStreamCreate(cudaStream_t* stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority);
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags = 0);
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags);
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority);
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id);
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device);
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback,
                                  void* user_data, unsigned flags);
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* user_data);

// Events
cudaError_t cudaEventCreate(cudaEvent_t* event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr);
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream = nullptr,
                                     unsigned flags = cudaEventRecordDefault);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);
/// Host time between the two records, since the work between them has run on the host.
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t stop);

// Kernels
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function);
cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value);
cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache config);
cudaError_t cudaFuncSetSharedMemConfig(const void* function, cudaSharedMemConfig config);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function,
                                                          int block_size,
                                                          std::size_t dynamic_shared_bytes);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks,
                                                                   const void* function,
                                                                   int block_size,
                                                                   std::size_t dynamic_shared_bytes,
                                                                   unsigned flags);
/// The dynamic shared memory that each block can have if this many share a multiprocessor.
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, const void* function,
                                                      int blocks, int block_size);
cudaError_t cudaOccupancyMaxPotentialClusterSize(int* cluster_size, const void* function,
                                                 const cudaLaunchConfig_t* configuration);
cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void* function,
                                           const cudaLaunchConfig_t* configuration);

// Profiling: nothing listens.
cudaError_t cudaProfilerStart();
cudaError_t cudaProfilerStop();

}  // extern "C"

#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
namespace tilelab::emulator {
/// Tells the runtime that stream 0 of the program is cudaStreamPerThread.
__attribute__((section("tilelab_per_thread"), used)) static const char per_thread = 1;
}  // namespace tilelab::emulator
#endif

namespace tilelab::emulator {

cudaError_t copy_to_symbol(const void* symbol, std::size_t symbol_bytes, const void* source,
                           std::size_t bytes, std::size_t offset, cudaMemcpyKind kind);
cudaError_t copy_from_symbol(void* destination, const void* symbol, std::size_t symbol_bytes,
                             std::size_t bytes, std::size_t offset, cudaMemcpyKind kind);
cudaError_t copy_to_symbol_async(const void* symbol, std::size_t symbol_bytes, const void* source,
                                 std::size_t bytes, std::size_t offset, cudaMemcpyKind kind,
                                 cudaStream_t stream);
cudaError_t copy_from_symbol_async(void* destination, const void* symbol, std::size_t symbol_bytes,
                                   std::size_t bytes, std::size_t offset, cudaMemcpyKind kind,
                                   cudaStream_t stream);
/// @param bytes  of the variable; the largest number if the compiler does not know
cudaError_t symbol_address(void** pointer, const void* symbol, std::size_t bytes);

/// What the rewriter makes of a call whose result nobody looks at. A launch has no result.
void note_unchecked(cudaError_t error, Site site);
inline void unchecked(cudaError_t error, Site site = Site::current()) {
  if (error != cudaSuccess) note_unchecked(error, site);
}
template <class T>
void unchecked(const T&) {}

void name_allocation(const char* text, std::size_t element_bytes);

/// The pointer that an allocation is about to fill. The rewriter knows its name.
template <class T>
T** named(T** pointer, const char* text) {
  if constexpr (requires { sizeof(T); } && std::is_object_v<T>) {
    name_allocation(text, sizeof(T));
  } else {
    name_allocation(text, 0);
  }
  return pointer;
}
template <class T>
T* named(T* pointer, const char* text) {
  name_allocation(text, 0);
  return pointer;
}

/// The program's pointer, which may be one to constants.
template <class T>
void** any_pointer(T** pointer) {
  return reinterpret_cast<void**>(const_cast<std::remove_const_t<T>**>(pointer));
}

template <class T>
const void* address_of_kernel(T* function) {
  return reinterpret_cast<const void*>(function);
}

}  // namespace tilelab::emulator

template <class T>
cudaError_t cudaMalloc(T** pointer, std::size_t bytes) {
  return cudaMalloc(tilelab::emulator::any_pointer(pointer), bytes);
}
template <class T>
cudaError_t cudaMallocPitch(T** pointer, std::size_t* pitch, std::size_t width,
                            std::size_t height) {
  return cudaMallocPitch(tilelab::emulator::any_pointer(pointer), pitch, width, height);
}
template <class T>
cudaError_t cudaMallocAsync(T** pointer, std::size_t bytes, cudaStream_t stream) {
  return cudaMallocAsync(tilelab::emulator::any_pointer(pointer), bytes, stream);
}
template <class T>
cudaError_t cudaMallocAsync(T** pointer, std::size_t bytes, cudaMemPool_t pool,
                            cudaStream_t stream) {
  return cudaMallocFromPoolAsync(tilelab::emulator::any_pointer(pointer), bytes, pool, stream);
}
template <class T>
cudaError_t cudaMallocFromPoolAsync(T** pointer, std::size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream) {
  return cudaMallocFromPoolAsync(tilelab::emulator::any_pointer(pointer), bytes, pool, stream);
}
template <class T>
cudaError_t cudaMallocHost(T** pointer, std::size_t bytes, unsigned flags = 0) {
  return cudaHostAlloc(tilelab::emulator::any_pointer(pointer), bytes, flags);
}
template <class T>
cudaError_t cudaHostAlloc(T** pointer, std::size_t bytes, unsigned flags) {
  return cudaHostAlloc(tilelab::emulator::any_pointer(pointer), bytes, flags);
}

template <class T>
cudaError_t cudaMallocManaged(T** pointer, std::size_t bytes,
                              unsigned flags = cudaMemAttachGlobal) {
  return cudaMallocManaged(tilelab::emulator::any_pointer(pointer), bytes, flags);
}
template <class T>
cudaError_t cudaHostGetDevicePointer(T** device_pointer, void* host_pointer, unsigned flags) {
  return cudaHostGetDevicePointer(tilelab::emulator::any_pointer(device_pointer), host_pointer,
                                  flags);
}
inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned flags) {
  return cudaEventCreateWithFlags(event, flags);
}
inline cudaError_t cudaMemPrefetchAsync(const void* pointer, std::size_t bytes,
                                        cudaMemLocation location, unsigned,
                                        cudaStream_t stream = nullptr) {
  return cudaMemPrefetchAsync(pointer, bytes, location.id, stream);
}
inline cudaError_t cudaMemAdvise(const void* pointer, std::size_t bytes, cudaMemoryAdvise advice,
                                 cudaMemLocation location) {
  return cudaMemAdvise(pointer, bytes, advice, location.id);
}

template <class T>
cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* source, std::size_t bytes,
                               std::size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return tilelab::emulator::copy_to_symbol(&symbol, sizeof symbol, source, bytes, offset, kind);
}
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* source, std::size_t bytes,
                                    std::size_t offset, cudaMemcpyKind kind,
                                    cudaStream_t stream = nullptr) {
  return tilelab::emulator::copy_to_symbol_async(&symbol, sizeof symbol, source, bytes, offset,
                                                 kind, stream);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void* destination, const T& symbol, std::size_t bytes,
                                 std::size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return tilelab::emulator::copy_from_symbol(destination, &symbol, sizeof symbol, bytes, offset,
                                             kind);
}
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void* destination, const T& symbol, std::size_t bytes,
                                      std::size_t offset, cudaMemcpyKind kind,
                                      cudaStream_t stream = nullptr) {
  return tilelab::emulator::copy_from_symbol_async(destination, &symbol, sizeof symbol, bytes,
                                                   offset, kind, stream);
}
template <class T>
[[gnu::always_inline]] inline cudaError_t cudaGetSymbolAddress(void** pointer, const T& symbol) {
  // Programs may name an array by its first element, so sizeof would not do.
  return tilelab::emulator::symbol_address(pointer, &symbol, __builtin_object_size(&symbol, 0));
}
template <class T>
cudaError_t cudaGetSymbolSize(std::size_t* bytes, const T& symbol) {
  *bytes = sizeof symbol;
  return cudaSuccess;
}

template <class T>
requires std::is_function_v<T> cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes,
                                                                 T* function) {
  return cudaFuncGetAttributes(attributes, tilelab::emulator::address_of_kernel(function));
}
template <class T>
requires std::is_function_v<T> cudaError_t cudaFuncSetAttribute(T* function,
                                                                cudaFuncAttribute attribute,
                                                                int value) {
  return cudaFuncSetAttribute(tilelab::emulator::address_of_kernel(function), attribute, value);
}
template <class T>
requires std::is_function_v<T> cudaError_t cudaFuncSetCacheConfig(T* function,
                                                                  cudaFuncCache config) {
  return cudaFuncSetCacheConfig(tilelab::emulator::address_of_kernel(function), config);
}
template <class T>
requires std::is_function_v<T> cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(
    int* blocks, T* function, int block_size, std::size_t dynamic_shared_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      blocks, tilelab::emulator::address_of_kernel(function), block_size, dynamic_shared_bytes);
}
template <class T>
requires std::is_function_v<T> cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* blocks, T* function, int block_size, std::size_t dynamic_shared_bytes, unsigned flags) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      blocks, tilelab::emulator::address_of_kernel(function), block_size, dynamic_shared_bytes,
      flags);
}
template <class T>
requires std::is_function_v<T> cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(
    std::size_t* bytes, T* function, int blocks, int block_size) {
  return cudaOccupancyAvailableDynamicSMemPerBlock(
      bytes, tilelab::emulator::address_of_kernel(function), blocks, block_size);
}
template <class T>
requires std::is_function_v<T> cudaError_t cudaOccupancyMaxPotentialClusterSize(
    int* cluster_size, T* function, const cudaLaunchConfig_t* configuration) {
  return cudaOccupancyMaxPotentialClusterSize(
      cluster_size, tilelab::emulator::address_of_kernel(function), configuration);
}
template <class T>
requires std::is_function_v<T> cudaError_t cudaOccupancyMaxActiveClusters(
    int* clusters, T* function, const cudaLaunchConfig_t* configuration) {
  return cudaOccupancyMaxActiveClusters(clusters, tilelab::emulator::address_of_kernel(function),
                                        configuration);
}
/// Proposes the block with the highest occupancy, and of several the largest. `bytes_of` says how
/// much dynamic shared memory a block of this many threads has.
template <class T, class BytesOf>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* minimum_grid_size, int* block_size,
                                                           T function, BytesOf bytes_of,
                                                           int block_size_limit = 0) {
  cudaDeviceProp device;
  if (const cudaError_t error = cudaGetDeviceProperties(&device, 0)) return error;
  cudaFuncAttributes kernel;
  if (const cudaError_t error = cudaFuncGetAttributes(&kernel, function)) return error;
  const int most = kernel.maxThreadsPerBlock;
  const int limit = block_size_limit > 0 && block_size_limit < most ? block_size_limit : most;
  int most_threads = 0;
  for (int threads = limit; threads > 0; threads = (threads - 1) / 32 * 32) {
    int blocks = 0;
    const cudaError_t error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, function, threads, static_cast<std::size_t>(bytes_of(threads)));
    if (error != cudaSuccess) return error;
    if (blocks * threads <= most_threads) continue;
    most_threads = blocks * threads;
    *block_size = threads;
    *minimum_grid_size = blocks * device.multiProcessorCount;
  }
  return most_threads > 0 ? cudaSuccess : cudaErrorInvalidConfiguration;
}
template <class T>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* minimum_grid_size, int* block_size, T function,
                                               std::size_t dynamic_shared_bytes = 0,
                                               int block_size_limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
      minimum_grid_size, block_size, function, [&](int) { return dynamic_shared_bytes; },
      block_size_limit);
}
