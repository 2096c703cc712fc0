// Names that several functions have: which of them is called is a question of types and namespaces,
// and a host function of the name is no reason to refuse a call.

#include <cuda_fp16.h>

#include <cmath>

#include "device.h"

struct Interval {
  float low, high;
};

// Overloads for the host of functions that device code has anyway.
static Interval sqrt(Interval x) { return {std::sqrt(x.low), std::sqrt(x.high)}; }
static Interval abs(Interval x) { return {std::fabs(x.low), std::fabs(x.high)}; }

// Functions of CUDA's headers may be declared again, as they are there.
int min(int, int);
static unsigned max(unsigned, unsigned);
float fminf(float, float);
float rsqrtf(float);

namespace {

namespace on_host {
int reduce(int a, int b) { return a + b; }
}  // namespace on_host

namespace on_device {
__device__ int reduce(int a, int b) { return a * b; }
}  // namespace on_device

struct Table {
  int rank() const { return 3; }  // for the host
};
struct Place {
  int value;
  __device__ int rank() const { return value; }
};
__device__ int area(int side) { return side * side; }
struct Shape {
  int area() const { return 1; }  // for the host
};

__global__ void call_all(float* numbers, int* out) {
  numbers[0] = sqrt(16.0f) + abs(-2.0f);
  out[0] = on_device::reduce(3, 4);
  out[1] = Place{7}.rank();
  out[2] = area(3);
}

__global__ void atomics(unsigned* counts, __half2* pair) {
  __nv_atomic_fetch_add(&counts[0], 2u, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  unsigned expected = __nv_atomic_load_n(&counts[1], __NV_ATOMIC_ACQUIRE);
  while (!__nv_atomic_compare_exchange_n(&counts[1], &expected, expected + threadIdx.x, false,
                                         __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_RELAXED,
                                         __NV_THREAD_SCOPE_DEVICE)) {
  }
  atomicAdd(pair, __floats2half2_rn(1, 2));
}

}  // namespace

TEST_CASE("a host function of the same name does not forbid a call") {
  DeviceArray<float> numbers(1);
  DeviceArray<int> out(3);
  call_all<<<1, 1>>>(numbers, out);
  REQUIRE(numbers.values()[0] == 6);
  REQUIRE(out.values() == std::vector<int>{12, 7, 9});
  REQUIRE(sqrt(Interval{4, 9}).high + abs(Interval{-1, -2}).low == 4);
  REQUIRE(on_host::reduce(3, 4) + Table().rank() + Shape().area() == 11);
}

TEST_CASE("nvcc's own atomic functions, and those of pairs of halves, lose nothing") {
  DeviceArray<unsigned> counts(std::vector<unsigned>{0, 0});
  DeviceArray<__half2> pair(std::vector<__half2>{__floats2half2_rn(0, 0)});
  atomics<<<1, 32>>>(counts, pair);
  REQUIRE(counts.values() == std::vector<unsigned>{64, 496});
  REQUIRE(__high2float(pair.values()[0]) == 64);
}
