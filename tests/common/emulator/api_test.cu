// Launch errors, streams, events, and the properties of the device.

#include "device.h"

namespace {

__global__ void store(int* out, int value) { *out = value; }
__global__ void use_dynamic(int* out) {
  extern __shared__ int words[];
  words[20 * 1024 - 1 - threadIdx.x] = 5;
  *out = words[20 * 1024 - 1 - threadIdx.x];
}

/// The error of a launch, which must be gone afterwards.
template <class Launch>
cudaError_t launch_error(Launch launch) {
  launch();
  const cudaError_t error = cudaPeekAtLastError();
  REQUIRE(cudaGetLastError() == error);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  return error;
}

}  // namespace

TEST_CASE("impossible configurations are refused, and the next launch works") {
  DeviceArray<int> out(1);
  const auto refused = [&](dim3 grid, dim3 block) {
    return launch_error([&] { store<<<grid, block>>>(out, 1); }) == cudaErrorInvalidConfiguration;
  };
  REQUIRE(refused(1, 0));
  REQUIRE(refused(0, 1));
  REQUIRE(refused(1, 1025));
  REQUIRE(refused(1, dim3(32, 33)));
  REQUIRE(refused(1, dim3(1, 1, 65)));
  REQUIRE(refused(dim3(1, 65536), 1));
  REQUIRE(refused(dim3(1, 1, 65536), 1));
  REQUIRE(refused(2147483648u, 1));
  store<<<dim3(1, 3, 2), dim3(4, 4, 64)>>>(out, 9);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  REQUIRE(out.values()[0] == 9);
}

TEST_CASE("more than 48 KiB of dynamic shared memory needs the attribute") {
  DeviceArray<int> out(1);
  constexpr int bytes = 80 * 1024;
  const auto launch = [&] { use_dynamic<<<1, 1, bytes>>>(out); };
  REQUIRE(launch_error(launch) == cudaErrorInvalidValue);
  REQUIRE(cudaFuncSetAttribute(use_dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) ==
          cudaSuccess);
  REQUIRE(launch_error(launch) == cudaSuccess);
  REQUIRE(out.values()[0] == 5);
  cudaFuncAttributes attributes;
  REQUIRE(cudaFuncGetAttributes(&attributes, use_dynamic) == cudaSuccess);
  REQUIRE(attributes.maxDynamicSharedSizeBytes == bytes);
  REQUIRE(attributes.maxThreadsPerBlock == 1024);
  REQUIRE(launch_error([&] { store<<<1, 1, 48 * 1024 + 1>>>(out, 1); }) == cudaErrorInvalidValue);
  REQUIRE(cudaFuncSetAttribute(store, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20) ==
          cudaErrorInvalidValue);
  REQUIRE(cudaFuncSetCacheConfig(store, cudaFuncCachePreferShared) == cudaSuccess);
  cudaDeviceReset();
}

TEST_CASE("errors have CUDA's names and texts") {
  REQUIRE(std::string(cudaGetErrorName(cudaSuccess)) == "cudaSuccess");
  REQUIRE(std::string(cudaGetErrorString(cudaSuccess)) == "no error");
  REQUIRE(std::string(cudaGetErrorName(cudaErrorInvalidConfiguration)) ==
          "cudaErrorInvalidConfiguration");
  REQUIRE(std::string(cudaGetErrorString(cudaErrorInvalidConfiguration)) ==
          "invalid configuration argument");
  REQUIRE(std::string(cudaGetErrorString(cudaErrorIllegalAddress)) ==
          "an illegal memory access was encountered");
  REQUIRE(static_cast<int>(cudaErrorLaunchFailure) == 719);
  REQUIRE(std::string(cudaGetErrorName(static_cast<cudaError_t>(12345))) ==
          "unrecognized error code");
}

TEST_CASE("events measure the time between them") {
  cudaEvent_t start, stop;
  REQUIRE(cudaEventCreate(&start) == cudaSuccess);
  REQUIRE(cudaEventCreate(&stop) == cudaSuccess);
  float ms = -1;
  REQUIRE(cudaEventElapsedTime(&ms, start, stop) == cudaErrorInvalidResourceHandle);
  REQUIRE(cudaEventRecord(start) == cudaSuccess);
  DeviceArray<int> out(1);
  for (int i = 0; i < 100; ++i) store<<<1, 1>>>(out, i);
  REQUIRE(cudaEventRecord(stop, 0) == cudaSuccess);
  REQUIRE(cudaEventSynchronize(stop) == cudaSuccess);
  REQUIRE(cudaEventQuery(stop) == cudaSuccess);
  REQUIRE(cudaEventElapsedTime(&ms, start, stop) == cudaSuccess);
  REQUIRE(ms > 0);
  REQUIRE(ms < 10000);
  REQUIRE(cudaEventDestroy(start) == cudaSuccess);
  REQUIRE(cudaEventDestroy(stop) == cudaSuccess);
  REQUIRE(cudaEventDestroy(stop) == cudaErrorInvalidResourceHandle);
  REQUIRE(cudaEventCreateWithFlags(&start, cudaEventDisableTiming) == cudaSuccess);
  cudaEventRecord(start);
  REQUIRE(cudaEventElapsedTime(&ms, start, start) == cudaErrorInvalidResourceHandle);
  cudaEventDestroy(start);
  REQUIRE(cudaGetLastError() == cudaErrorInvalidResourceHandle);
}

TEST_CASE("streams are created, used and destroyed") {
  cudaStream_t stream, other;
  int least = -9, greatest = -9;
  REQUIRE(cudaDeviceGetStreamPriorityRange(&least, &greatest) == cudaSuccess);
  REQUIRE(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess);
  REQUIRE(cudaStreamCreateWithPriority(&other, cudaStreamDefault, greatest) == cudaSuccess);
  DeviceArray<int> out(1);
  store<<<1, 1, 0, stream>>>(out, 5);
  cudaEvent_t event;
  REQUIRE(cudaEventCreate(&event) == cudaSuccess);
  REQUIRE(cudaEventRecord(event, stream) == cudaSuccess);
  REQUIRE(cudaStreamWaitEvent(other, event) == cudaSuccess);
  int called = 0;
  const auto count = [](void* counter) { ++*static_cast<int*>(counter); };
  REQUIRE(cudaLaunchHostFunc(other, count, &called) == cudaSuccess);
  REQUIRE(called == 1);
  REQUIRE(cudaStreamQuery(stream) == cudaSuccess);
  REQUIRE(cudaStreamSynchronize(other) == cudaSuccess);
  REQUIRE(cudaStreamSynchronize(cudaStreamPerThread) == cudaSuccess);
  cudaEventDestroy(event);
  REQUIRE(cudaStreamDestroy(stream) == cudaSuccess);
  REQUIRE(cudaStreamDestroy(other) == cudaSuccess);
  REQUIRE(launch_error([&] { store<<<1, 1, 0, stream>>>(out, 6); }) ==
          cudaErrorInvalidResourceHandle);
  REQUIRE(out.values()[0] == 5);
}

TEST_CASE("the device reports its properties") {
  int count = 0, device = -1, value = 0;
  REQUIRE(cudaGetDeviceCount(&count) == cudaSuccess);
  REQUIRE(count == 1);
  REQUIRE(cudaSetDevice(0) == cudaSuccess);
  REQUIRE(cudaSetDevice(1) == cudaErrorInvalidDevice);
  REQUIRE(cudaGetLastError() == cudaErrorInvalidDevice);
  REQUIRE(cudaGetDevice(&device) == cudaSuccess);
  REQUIRE(device == 0);
  cudaDeviceProp properties;
  REQUIRE(cudaGetDeviceProperties(&properties, 0) == cudaSuccess);
  REQUIRE(std::string(properties.name) == "TileLab emulator");
  REQUIRE(properties.warpSize == 32);
  REQUIRE(cudaDeviceGetAttribute(&value, cudaDevAttrMaxThreadsPerBlock, 0) == cudaSuccess);
  REQUIRE(value == properties.maxThreadsPerBlock);
  REQUIRE(cudaDeviceGetAttribute(&value, cudaDevAttrL2CacheSize, 0) == cudaSuccess);
  REQUIRE(value == properties.l2CacheSize);
  REQUIRE(cudaRuntimeGetVersion(&value) == cudaSuccess);
  REQUIRE(value == CUDART_VERSION);
  REQUIRE(cudaDeviceGetAttribute(&value, cudaDevAttrEccEnabled, 0) == cudaSuccess);
  REQUIRE(value == 0);
  REQUIRE(cudaDeviceGetAttribute(&value, cudaDevAttrMax, 0) == cudaErrorInvalidValue);
  REQUIRE(cudaGetLastError() == cudaErrorInvalidValue);
  std::size_t limit = 0;
  REQUIRE(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 4096) == cudaSuccess);
  REQUIRE(cudaDeviceGetLimit(&limit, cudaLimitPrintfFifoSize) == cudaSuccess);
  REQUIRE(limit == 4096);
}

TEST_CASE("occupancy follows threads and shared memory") {
  int blocks = 0, grid = 0, block = 0;
  REQUIRE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, store, 256, 0) == cudaSuccess);
  REQUIRE(blocks == 8);
  REQUIRE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, store, 32, 0) == cudaSuccess);
  REQUIRE(blocks == 32);
  REQUIRE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, store, 32, 40 * 1024) ==
          cudaSuccess);
  REQUIRE(blocks == 5);
  REQUIRE(cudaOccupancyMaxPotentialBlockSize(&grid, &block, store) == cudaSuccess);
  REQUIRE((grid == 2 && block == 1024));
}

TEST_CASE("a block whose shared memory grows with it is as large as pays") {
  int grid = 0, block = 0;
  const auto bytes_of = [](int threads) { return threads * 64; };
  REQUIRE(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, store, bytes_of) ==
          cudaSuccess);
  REQUIRE((grid == 4 && block == 512));
  REQUIRE(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, store, bytes_of, 100) ==
          cudaSuccess);
  REQUIRE((grid == 32 && block == 64));
  const auto too_much = [](int) { return 100 << 10; };
  REQUIRE(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, store, too_much) ==
          cudaErrorInvalidConfiguration);
}
