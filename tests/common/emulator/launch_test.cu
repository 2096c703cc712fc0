// Every way to write a launch.

#include <sstream>

#include "device.h"

namespace {

__global__ void store(int* out, int value) { *out = value; }

__global__ void store_sum(int* out, int a, int b = 30, int c = 4) { *out = a + b + c; }

template <class T, int N>
__global__ void store_product(T* out, T value) {
  *out = value * N;
}

template <class T>
__global__ void store_deduced(T* out, T value) {
  *out = value;
}

template <class T>
struct Three {
  static constexpr int value = 3;
};
template <class T>
struct Wrap {};

template <class T>
__global__ void store_size(int* out) {
  *out = T::value;
}

__global__ void overloaded(int* out, int value) { *out = value; }
__global__ void overloaded(float* out, float value) { *out = value; }

__global__ void set_to_seven(int& out) { out = 7; }

struct Pair {
  int a, b;
};
__global__ void store_pair(int* out, Pair pair, const int* optional) {
  *out = pair.a * 10 + pair.b + (optional != nullptr);
}

/// As a handle of device memory does, it counts what the host makes of it.
struct Handle {
  explicit Handle(int* where) : place(where) {}
  Handle(const Handle& other) : place(other.place) { ++copies; }
  ~Handle() { ++destroyed; }
  int* place;
  int padding[5] = {1, 2, 3, 4, 5};
  static inline int copies = 0, destroyed = 0;
};
__global__ void add_to_handle(Handle handle, int value) {
  handle.padding[0] += threadIdx.x;
  atomicAdd(handle.place, value + handle.padding[0] + handle.padding[4]);
}

__global__ void change_parameter(int* out, int value) {
  value += threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = value;
}

__global__ void indices(uint3* threads, uint3* blocks, dim3* extents) {
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const unsigned i = block * blockDim.x * blockDim.y * blockDim.z + thread;
  threads[i] = threadIdx;
  blocks[i] = blockIdx;
  extents[0] = gridDim;
  extents[1] = blockDim;
}

struct Fields {
  int threadIdx;
  int gridDim;
};
__global__ void shadow(int* out, Fields fields) {
  const int blockIdx = 5;
  *out = fields.threadIdx + fields.gridDim + blockIdx;
}

__noinline__ __device__ int doubled(int x) { return 2 * x; }
__forceinline__ __device__ int tripled(int x) { return 3 * x; }
__global__ void __launch_bounds__(128, 2) call_device(int* out) {
  *out = doubled(10) + tripled(100) + warpSize;
}

template <class Launch>
int result_of(Launch launch) {
  DeviceArray<int> out(1);
  launch(static_cast<int*>(out));
  REQUIRE(cudaGetLastError() == cudaSuccess);
  return out.values()[0];
}

__global__ void store_six(int* out) { *out = 6; }
int store_six() {
  return result_of([](int* out) { store_six<<<1, 1>>>(out); });
}

#define LAUNCH(kernel, ...) kernel<<<1, 1>>>(__VA_ARGS__)
#define CHEVRONS <<<1, 1>>>

}  // namespace

namespace outer {
namespace inner {
__global__ void store(int* out, int value) { *out = 100 * value; }
}  // namespace inner
}  // namespace outer

TEST_CASE("threads get the bits of a parameter, and the host alone copies and destroys it") {
  DeviceArray<int> sum(std::vector<int>{0});
  {
    const Handle handle(sum);
    Handle::copies = Handle::destroyed = 0;
    add_to_handle<<<2, 3>>>(handle, 10);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(Handle::copies == 1);
    CHECK(Handle::destroyed == 1);
  }
  CHECK(sum.values()[0] == 2 * (3 * (10 + 1 + 5) + 0 + 1 + 2));
}

TEST_CASE("a kernel is launched by its name, also in a namespace") {
  REQUIRE(result_of([](int* out) { store<<<1, 1>>>(out, 7); }) == 7);
  REQUIRE(result_of([](int* out) { ::store<<<1, 1>>>(out, 7); }) == 7);
  REQUIRE(result_of([](int* out) { outer::inner::store<<<1, 1>>>(out, 7); }) == 700);
}

TEST_CASE("launches inside macros work") {
  REQUIRE(result_of([](int* out) { LAUNCH(store, out, 8); }) == 8);
  REQUIRE(result_of([](int* out) { store CHEVRONS(out, 9); }) == 9);
  REQUIRE(result_of([](int* out) { LAUNCH((store_product<int, 2>), out, 8); }) == 16);
}

TEST_CASE("template kernels are launched with given, deduced and partly deduced arguments") {
  REQUIRE(result_of([](int* out) { store_product<int, 3><<<1, 1>>>(out, 5); }) == 15);
  REQUIRE(result_of([](int* out) { store_deduced<<<1, 1>>>(out, 6); }) == 6);
  REQUIRE(result_of([](int* out) { store_deduced<int><<<1, 1>>>(out, 6); }) == 6);
  REQUIRE(result_of([](int* out) { store_product<int, (8 >> 1)><<<1, 1>>>(out, 5); }) == 20);
}

TEST_CASE("three closing angle brackets of template arguments do not end the chevrons") {
  REQUIRE(result_of([](int* out) {
            store_size<Three<Wrap<Wrap<int>>>><<<1, Three<Wrap<Wrap<int>>>::value>>>(out);
          }) == 3);
  REQUIRE(result_of([](int* out) { store < <<8>> 3, dim3(1 << 0) >>> (out, 64 >> 3); }) == 8);
}

TEST_CASE("overloaded kernels are told apart by their arguments") {
  REQUIRE(result_of([](int* out) { overloaded<<<1, 1>>>(out, 4); }) == 4);
  DeviceArray<float> out(1);
  overloaded<<<1, 1>>>(static_cast<float*>(out), 2.5f);
  REQUIRE(out.values()[0] == 2.5f);
}

TEST_CASE("a function of the host may have a kernel's name") { REQUIRE(store_six() == 6); }

TEST_CASE("a reference refers to memory of the device") {
  REQUIRE(result_of([](int* out) { set_to_seven<<<1, 1>>>(*out); }) == 7);
}

TEST_CASE("function pointers are launched") {
  void (*kernel)(int*, int) = store;
  REQUIRE(result_of([&](int* out) { kernel<<<1, 1>>>(out, 3); }) == 3);
  void (*table[])(int*, int) = {store, outer::inner::store};
  REQUIRE(result_of([&](int* out) { table[1]<<<1, 1>>>(out, 3); }) == 300);
}

TEST_CASE("arguments convert as in a call: NULL, braces, narrower numbers, defaults") {
  REQUIRE(result_of([](int* out) { store_pair<<<1, 1>>>(out, {4, 2}, NULL); }) == 42);
  REQUIRE(result_of([](int* out) { store_pair<<<1, 1>>>(out, Pair{4, 2}, 0); }) == 42);
  REQUIRE(result_of([](int* out) { store<<<1, 1>>>(out, 7.9); }) == 7);
  REQUIRE(result_of([](int* out) { store_sum<<<1, 1>>>(out, 1); }) == 35);
  REQUIRE(result_of([](int* out) { store_sum<<<1, 1>>>(out, 1, 2); }) == 7);
  REQUIRE(result_of([](int* out) { store_sum<<<1, 1>>>(out, 1, 2, 3); }) == 6);
}

TEST_CASE("arguments and configuration are evaluated once") {
  int evaluated = 0;
  REQUIRE(result_of([&](int* out) { store<<<4, 64>>>(out, ++evaluated); }) == 1);
  REQUIRE(evaluated == 1);
  REQUIRE(result_of([&](int* out) { store_deduced<<<4, 64>>>(out, ++evaluated); }) == 2);
  REQUIRE(evaluated == 2);
}

TEST_CASE("every thread has its own copy of the arguments") {
  DeviceArray<int> out(64);
  change_parameter<<<1, 64>>>(out, 100);
  const std::vector<int> values = out.values();
  for (int i = 0; i < 64; ++i) REQUIRE(values[i] == 100 + i);
}

TEST_CASE("grids and blocks have three dimensions") {
  const dim3 grid(3, 2, 2), block(5, 3, 2);
  constexpr int blocks = 12, threads = 30;
  DeviceArray<uint3> thread_of(blocks * threads), block_of(blocks * threads);
  DeviceArray<dim3> extents(2);
  indices<<<grid, block>>>(thread_of, block_of, extents);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  const auto t = thread_of.values();
  const auto b = block_of.values();
  for (unsigned i = 0; i < blocks * threads; ++i) {
    const unsigned thread = i % threads, block_rank = i / threads;
    REQUIRE((t[i].x == thread % 5 && t[i].y == thread / 5 % 3 && t[i].z == thread / 15));
    REQUIRE((b[i].x == block_rank % 3 && b[i].y == block_rank / 3 % 2 && b[i].z == block_rank / 6));
  }
  const auto e = extents.values();
  REQUIRE((e[0].x == 3 && e[0].y == 2 && e[0].z == 2 && e[1].x == 5 && e[1].y == 3 && e[1].z == 2));
}

TEST_CASE("a launch with a grid alone has one thread per block") {
  DeviceArray<uint3> thread_of(3), block_of(3);
  DeviceArray<dim3> extents(2);
  indices<<<3>>>(thread_of, block_of, extents);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  const auto e = extents.values();
  REQUIRE((e[0].x == 3 && e[1].x == 1 && e[1].y == 1 && e[1].z == 1));
}

TEST_CASE("names of built-in variables can be fields and locals") {
  REQUIRE(result_of([](int* out) { shadow<<<1, 1>>>(out, {1, 20}); }) == 26);
}

TEST_CASE("device functions, launch bounds and warpSize work") {
  REQUIRE(result_of([](int* out) { call_device<<<1, 1>>>(out); }) == 352);
}

TEST_CASE("chevrons in strings, shifts and stream operators stay what they are") {
  const std::string text = "kernel<<<1, 2>>>(x)";
  REQUIRE(text.size() == 19);
  REQUIRE(std::string(R"(raw <<< "quoted" >>>)") == "raw <<< \"quoted\" >>>");
  std::ostringstream stream;
  stream << 1 << '<' << (1 << 3) << "<<<";
  REQUIRE(stream.str() == "1<8<<<");
  REQUIRE(1'000'000 >> 3 == 125'000);
}
