// Shared memory, static and dynamic.

#include <cstring>
#include <vector>

#include "device.h"

// At namespace scope, and with a different type.
extern __shared__ unsigned char raw_bytes[];

namespace {

constexpr int poison = 0x7ffbadba;

__global__ void look_then_write(int* seen) {
  __shared__ int fixed[32];
  extern __shared__ int sized[];
  if (threadIdx.x == 0) {
    seen[2 * blockIdx.x] = fixed[7];
    seen[2 * blockIdx.x + 1] = sized[5];
  }
  __syncthreads();
  fixed[threadIdx.x] = 1;
  sized[threadIdx.x] = 1;
}

template <class T>
__global__ void reverse(T* data) {
  extern __shared__ __align__(16) unsigned char storage[];
  T* tile = reinterpret_cast<T*>(storage);
  tile[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

template <class T, int N>
__global__ void templated(T* out) {
  __shared__ T tile[N][N + 1];
  const int i = threadIdx.x;
  for (int j = 0; j < N; ++j) tile[i][j] = static_cast<T>(10 * i + j);
  __syncthreads();
  for (int j = 0; j < N; ++j) out[i * N + j] = tile[j][i];
}

__global__ void whole_file_name(unsigned char* out) {
  raw_bytes[threadIdx.x] = static_cast<unsigned char>(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = raw_bytes[blockDim.x - 1 - threadIdx.x];
}

struct Body {
  float3 position;
  int id;
};

__global__ void spellings(int* out) {
  __shared__ alignas(64) float aligned[4];
  __shared__ __align__(32) double also_aligned[2];
  static __shared__ Body bodies[2];
  volatile __shared__ int flag;
  __shared__ int first, second[2];
  __shared__ struct { int a = 0, b; } * pointer;
  __shared__ union {
    int i;
    float f;
  } either;
  if (threadIdx.x == 0) {
    bodies[1].id = 4;
    flag = 3;
    first = 2;
    second[1] = 1;
    pointer = nullptr;
    either.f = 1.0f;
  }
  __syncthreads();
  if (threadIdx.x == 1) {
    out[0] = reinterpret_cast<std::uintptr_t>(aligned) % 64 == 0;
    out[1] = reinterpret_cast<std::uintptr_t>(also_aligned) % 32 == 0;
    out[2] = bodies[1].id * 1000 + flag * 100 + first * 10 + second[1];
    out[3] = either.i;
    out[4] = pointer == nullptr;
  }
}

__device__ int sum_with_own_tile(int value) {
  __shared__ int tile[64];
  tile[threadIdx.x] = value;
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < blockDim.x; ++i) sum += tile[i];
  return sum;
}
__global__ void call_with_tile(int* out) { out[threadIdx.x] = sum_with_own_tile(threadIdx.x); }

struct Counter {
  int count;
  __device__ Counter() : count(5) {}
};

#pragma nv_diag_suppress static_var_with_dynamic_init
__global__ void without_constructor(int* out) {
  __shared__ Counter* pointer;
  __shared__ Counter counters[2][2];
  out[0] = counters[1][1].count;
  pointer = &counters[1][0];
  pointer->count = 3;
  out[1] = counters[1][0].count;
}

struct Empty {
  int value;
  __device__ Empty() {}
};
__global__ void columns(int* out) {
  extern __shared__ int table[][4];
  __shared__ alignas(32) Empty one;
  __shared__ Empty* pointer;
  table[2][threadIdx.x] = threadIdx.x;
  pointer = &one;
  pointer->value = table[2][3] + static_cast<int>(reinterpret_cast<std::uintptr_t>(&one) % 32);
  *out = one.value;
}

// Each of these has its own.
namespace floats {
__device__ float* storage() {
  extern __shared__ float storage_of_file[];
  return storage_of_file;
}
}  // namespace floats
namespace ints {
__device__ int* storage() {
  extern __shared__ int storage_of_file[];
  return storage_of_file;
}
__device__ signed* same_storage() {
  extern __shared__ signed storage_of_file[];
  return storage_of_file;
}
}  // namespace ints
__global__ void storages(int* out) {
  *floats::storage() = 2;
  *out = *ints::storage() == *ints::same_storage() ? static_cast<int>(*floats::storage()) : 0;
}

__global__ void reverse_by_umlauts(int* länge) {
  __shared__ int größe[32];
  größe[31 - threadIdx.x] = länge[threadIdx.x];
  __syncthreads();
  länge[threadIdx.x] = größe[threadIdx.x];
}
}  // namespace

TEST_CASE("a launch leaves the host's thread_local variables as they are") {
  static thread_local int number = 3;
  static thread_local std::vector<int> numbers{1, 2};
  number += static_cast<int>(numbers.size());
  DeviceArray<int> seen(4);
  look_then_write<<<2, 32, 32 * sizeof(int)>>>(seen);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(seen.values() == std::vector<int>(4, poison));
  CHECK(number == 5);
  CHECK(numbers == std::vector{1, 2});
}

TEST_CASE("every block finds shared memory poisoned, not what the last block left") {
  DeviceArray<int> seen(6);
  look_then_write<<<3, 32, 32 * sizeof(int)>>>(seen);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  REQUIRE(seen.values() == std::vector<int>(6, poison));
}

TEST_CASE("dynamic shared memory serves kernels of different types") {
  std::vector<int> ints(50);
  std::vector<double> doubles(50);
  for (int i = 0; i < 50; ++i) ints[i] = i, doubles[i] = i + 0.5;
  DeviceArray<int> device_ints(ints);
  DeviceArray<double> device_doubles(doubles);
  reverse<int><<<1, 50, 50 * sizeof(int)>>>(device_ints);
  reverse<double><<<1, 50, 50 * sizeof(double)>>>(device_doubles);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  for (int i = 0; i < 50; ++i) {
    REQUIRE(device_ints.values()[i] == 49 - i);
    REQUIRE(device_doubles.values()[i] == 49.5 - i);
  }
}

TEST_CASE("a dynamic array at namespace scope is the same memory") {
  DeviceArray<unsigned char> out(64);
  whole_file_name<<<1, 64, 64>>>(out);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  for (int i = 0; i < 64; ++i) REQUIRE(out.values()[i] == 63 - i);
}

TEST_CASE("static shared arrays in template kernels have the size of their instance") {
  DeviceArray<float> out(16 * 16);
  templated<float, 16><<<1, 16>>>(out);
  const auto values = out.values();
  for (int i = 0; i < 16; ++i) {
    for (int j = 0; j < 16; ++j) REQUIRE(values[i * 16 + j] == static_cast<float>(10 * j + i));
  }
}

TEST_CASE("shared variables can be aligned, static, volatile, several, and of class types") {
  DeviceArray<int> out(5);
  spellings<<<1, 2>>>(out);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  REQUIRE(out.values() == std::vector<int>{1, 1, 4321, 0x3f800000, 1});
}

TEST_CASE("device functions can have their own shared arrays") {
  DeviceArray<int> out(64);
  call_with_tile<<<1, 64>>>(out);
  REQUIRE(out.values() == std::vector<int>(64, 2016));
}

TEST_CASE("no constructor runs for shared memory") {
  DeviceArray<int> out(2);
  without_constructor<<<1, 1>>>(static_cast<int*>(out));
  REQUIRE(out.values() == std::vector<int>{poison, 3});
}

TEST_CASE("objects and rows in shared memory") {
  DeviceArray<int> out(1);
  columns<<<1, 4, 12 * sizeof(int)>>>(static_cast<int*>(out));
  REQUIRE(out.values() == std::vector<int>{3});
}

TEST_CASE("a name may have a type in each namespace") {
  DeviceArray<int> out(1);
  storages<<<1, 1, 4>>>(static_cast<int*>(out));
  REQUIRE(out.values() == std::vector<int>{2});
}

TEST_CASE("a shared array may have letters in its name that are not ASCII") {
  std::vector<int> numbers(32), reversed(32);
  for (int i = 0; i < 32; ++i) numbers[i] = i, reversed[i] = 31 - i;
  DeviceArray<int> values(numbers);
  reverse_by_umlauts<<<1, 32>>>(values);
  REQUIRE(values.values() == reversed);
}
