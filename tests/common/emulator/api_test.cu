// Launch errors, streams, events, and the properties of the device.

#include "device.h"

namespace {

__global__ void store(int* out, int value) { *out = value; }
__global__ void use_dynamic(int* out) {
  extern __shared__ int words[];
  words[20 * 1024 - 1 - threadIdx.x] = 5;
  *out = words[20 * 1024 - 1 - threadIdx.x];
}

__global__ void use_both(int* out) {
  extern __shared__ int words[];
  __shared__ char letters[33];
  __shared__ double numbers[1000];
  letters[threadIdx.x] = 'a';
  numbers[threadIdx.x] = words[threadIdx.x] = 1;
  __syncthreads();
  *out = letters[0] + static_cast<int>(numbers[0]) + words[0];
}
__global__ void add_after_launch(int* out) {
  cudaGridDependencySynchronize();
  *out += 1;
  cudaTriggerProgrammaticLaunchCompletion();
}
__global__ void declare_only(int* out) {
  __shared__ int unused[12000];
  *out = 6;
}
template <class T, int count>
__global__ void __launch_bounds__(count) use_tile(T* out) {
  __shared__ T tile[count];
  tile[threadIdx.x] = T(threadIdx.x);
  __syncthreads();
  *out = tile[count - 1];
}
__global__ void __launch_bounds__(2 * 32, 1) bounded(int* out);
__global__ void bounded(int* out) { *out = 8; }

template <int a, int b>
struct Product {
  static constexpr int value = a * b;
};
__global__ void __launch_bounds__(Product<4, 8>::value, 2) with_comma(int* out) { *out = 1; }
template <class T>
__global__ void __launch_bounds__(sizeof(T) * 16) with_word_of_a_type(T* out) {
  *out = 1;
}
__global__ void with_alignment(int* out) {
  __shared__ char small[4];
  __shared__ alignas(16) char aligned[8];
  __shared__ char after[8] __attribute__((aligned(64)));
  small[threadIdx.x] = aligned[threadIdx.x] = after[threadIdx.x] = 1;
  __syncthreads();
  *out = small[0] + aligned[0] + after[0];
}
__global__ void ask_for_size(int* out) {
  __shared__ int unused[12000];
  (void)unused;
  *out = sizeof(unused) + sizeof unused;
}
constexpr int size = 32;
__global__ void __launch_bounds__(size) with_hidden_name(int* out, int size) { *out = size; }

cudaFuncAttributes attributes_of(auto* kernel) {
  cudaFuncAttributes attributes{};
  REQUIRE(cudaFuncGetAttributes(&attributes, kernel) == cudaSuccess);
  return attributes;
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
  REQUIRE(cudaGetLastError() == cudaErrorInvalidValue);
  REQUIRE(cudaFuncSetCacheConfig(store, cudaFuncCachePreferShared) == cudaSuccess);
  cudaDeviceReset();
}

// What is refused follows what an H200 refused of kernels like these.
TEST_CASE("a kernel's own shared memory leaves less for its dynamic array") {
  constexpr int own = 40 + 8000, left = 48 * 1024 - own, most = 227 * 1024 - own;
  REQUIRE(attributes_of(use_both).sharedSizeBytes == own);
  REQUIRE(attributes_of(use_both).maxDynamicSharedSizeBytes == left);
  DeviceArray<int> out(1);
  const auto error_with = [&](int bytes) {
    return launch_error([&] { use_both<<<1, 1, bytes>>>(out); });
  };
  const auto set = [](int bytes) {
    const auto attribute = cudaFuncAttributeMaxDynamicSharedMemorySize;
    const cudaError_t error = cudaFuncSetAttribute(use_both, attribute, bytes);
    static_cast<void>(cudaGetLastError());
    return error;
  };
  REQUIRE(error_with(left) == cudaSuccess);
  REQUIRE(out.values()[0] == 'a' + 2);
  REQUIRE(error_with(left + 1) == cudaErrorInvalidValue);
  REQUIRE(set(most + 1) == cudaErrorInvalidValue);
  REQUIRE(error_with(most) == cudaErrorInvalidValue);
  REQUIRE(set(most) == cudaSuccess);
  REQUIRE(error_with(most) == cudaSuccess);
  REQUIRE(attributes_of(declare_only).sharedSizeBytes == 0);
  REQUIRE(launch_error([&] { declare_only<<<1, 1, 48 * 1024>>>(out); }) == cudaSuccess);
  cudaDeviceReset();
}

TEST_CASE("instances of a kernel have their own shared memory and launch bounds") {
  REQUIRE(attributes_of(use_tile<int, 64>).sharedSizeBytes == 256);
  REQUIRE(attributes_of(use_tile<int, 128>).sharedSizeBytes == 512);
  REQUIRE(attributes_of(use_tile<double, 64>).sharedSizeBytes == 512);
  REQUIRE(attributes_of(use_tile<int, 64>).maxThreadsPerBlock == 64);
  REQUIRE(attributes_of(use_tile<int, 128>).maxThreadsPerBlock == 128);
  REQUIRE(attributes_of(store).maxThreadsPerBlock == 1024);
}

TEST_CASE("a block keeps to the launch bounds of its kernel") {
  DeviceArray<int> out(1);
  REQUIRE(launch_error([&] { use_tile<int, 64><<<1, 64>>>(out); }) == cudaSuccess);
  REQUIRE(out.values()[0] == 63);
  REQUIRE(launch_error([&] { use_tile<int, 64><<<1, 65>>>(out); }) == cudaErrorInvalidValue);
  REQUIRE(launch_error([&] { use_tile<int, 128><<<1, dim3(16, 8)>>>(out); }) == cudaSuccess);
  REQUIRE(launch_error([&] { bounded<<<1, 65>>>(out); }) == cudaErrorInvalidValue);
  REQUIRE(launch_error([&] { bounded<<<1, 64>>>(out); }) == cudaSuccess);
  REQUIRE(launch_error([&] { with_comma<<<1, 33>>>(out); }) == cudaErrorInvalidValue);
  REQUIRE(attributes_of(with_comma).maxThreadsPerBlock == 32);
  REQUIRE(attributes_of(with_word_of_a_type<int>).maxThreadsPerBlock == 64);
  REQUIRE(attributes_of(with_alignment).sharedSizeBytes == 64 + 8);
  REQUIRE(attributes_of(ask_for_size).sharedSizeBytes == 0);
  REQUIRE(launch_error([&] { with_hidden_name<<<1, 32>>>(out, 3); }) == cudaSuccess);
  int blocks = -1, grid = 0, block = 0;
  REQUIRE(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
              &blocks, bounded, 96, 0, cudaOccupancyDefault) == cudaSuccess);
  REQUIRE(blocks == 0);
  REQUIRE(cudaOccupancyMaxPotentialBlockSize(&grid, &block, bounded) == cudaSuccess);
  REQUIRE(block == 64);
  REQUIRE(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, bounded, 32, 0, 2) ==
          cudaErrorInvalidValue);
  static_cast<void>(cudaGetLastError());
}

TEST_CASE("blocks that share a multiprocessor share its memory") {
  std::size_t bytes = 0;
  int blocks = 0;
  for (const int wanted : {5, 6, 11, 32}) {
    REQUIRE(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, store, wanted, 32) == cudaSuccess);
    REQUIRE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, store, 32, bytes) ==
            cudaSuccess);
    REQUIRE(blocks == wanted);
  }
  REQUIRE(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, store, 1, 32) == cudaSuccess);
  REQUIRE(bytes == 48 << 10);
  for (const auto [count, block] : {std::pair{0, 32}, {33, 32}, {1, 0}, {1, 1025}}) {
    REQUIRE(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, store, count, block) ==
            cudaErrorInvalidValue);
  }
  static_cast<void>(cudaGetLastError());
}

TEST_CASE("a launch may wait for the one before, and let the next one begin") {
  DeviceArray<int> out(std::vector<int>{5});
  for (int i = 0; i < 3; ++i) {
    REQUIRE(launch_error([&] { add_after_launch<<<1, 1>>>(out); }) == cudaSuccess);
  }
  REQUIRE(out.values()[0] == 8);
}

TEST_CASE("the device is known by the number of its bus, and started by hand") {
  char text[16];
  int device = -1;
  REQUIRE(cudaDeviceGetPCIBusId(text, sizeof text, 0) == cudaSuccess);
  REQUIRE(cudaDeviceGetByPCIBusId(&device, text) == cudaSuccess);
  REQUIRE(device == 0);
  REQUIRE(cudaDeviceGetByPCIBusId(&device, "0000:17:00.0") == cudaErrorInvalidDevice);
  unsigned before = 0, after = 0;
  REQUIRE(cudaGetDeviceFlags(&before) == cudaSuccess);
  REQUIRE(cudaInitDevice(0, cudaDeviceScheduleSpin, cudaInitDeviceFlagsAreValid) == cudaSuccess);
  REQUIRE(cudaInitDevice(0, before, 0) == cudaSuccess);
  REQUIRE(cudaGetDeviceFlags(&after) == cudaSuccess);
  REQUIRE(after == cudaDeviceScheduleSpin);
  REQUIRE(cudaSetDeviceFlags(before) == cudaSuccess);
  REQUIRE(cudaInitDevice(1, 0, 0) == cudaErrorInvalidDevice);
  static_cast<void>(cudaGetLastError());
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
