// __CUDA_ARCH__ is defined in device code alone, as nvcc does it.

#include "device.h"

namespace {

__host__ __device__ int side() {
#ifdef __CUDA_ARCH__
  return __CUDA_ARCH__;
#else
  return -1;
#endif
}

// The line of an error, or of a finding, stays that of the source.
__host__ __device__ int line_after_a_choice() {
#if __CUDA_ARCH__ >= 700
  const int unused = 1;
  static_cast<void>(unused);
#endif
  return __LINE__;
}

#if __CUDA_ARCH__ >= 600
__device__ int only_for_device(int value) { return value + 1; }
#endif

__global__ void old_or_new(int* out) {
#if __CUDA_ARCH__ >= 600
  out[0] = only_for_device(1);
#else
  out[0] = -1;
#endif
  out[1] = side();
  out[2] = line_after_a_choice();
}

template <class T>
struct Box {
  __host__ __device__ T where() const {
#ifdef __CUDA_ARCH__
    return 1;
#else
    return 0;
#endif
  }
};

__global__ void where(int* out) { out[0] = Box<int>().where(); }

__host__ __device__ constexpr int at_compile_time() {
#ifdef __CUDA_ARCH__
  return 1;
#else
  return 1;
#endif
}
static_assert(at_compile_time() == 1);

}  // namespace

TEST_CASE("device code takes the branch for a recent architecture") {
  DeviceArray<int> out(3);
  old_or_new<<<1, 1>>>(out);
  REQUIRE(out.values()[0] == 2);
}

TEST_CASE("a function for both sides has a version for each") {
  DeviceArray<int> out(3);
  old_or_new<<<1, 1>>>(out);
  REQUIRE(out.values()[1] == 900);
  REQUIRE(side() == -1);
  where<<<1, 1>>>(out);
  REQUIRE(out.values()[0] == 1);
  REQUIRE(Box<int>().where() == 0);
}

TEST_CASE("a choice by architecture moves no line") {
  DeviceArray<int> out(3);
  old_or_new<<<1, 1>>>(out);
  REQUIRE(out.values()[2] == 21);
  REQUIRE(line_after_a_choice() == 21);
  REQUIRE(__LINE__ == 83);
}
