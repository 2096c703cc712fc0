// What kernels do wrong, and the sentences about it. Barriers and warp operations have their own
// tests.

#include "device.h"

namespace {

__global__ void write_null(int* pointer) { *pointer = 1; }
__global__ void read_at(const int* pointer, int* out) { *out = *pointer; }
__global__ void write_far(int* data, long long index) {
  if (threadIdx.x == 3) data[index] = 1;
}

__device__ int use_much_stack(int depth) {
  volatile char local[4096];
  local[depth] = 1;
  return depth == 0 ? local[0] : use_much_stack(depth - 1) + local[depth];
}
__global__ void recurse(int* out, int depth) { *out = use_much_stack(depth); }

__global__ void huge_local(int* out) {
  volatile int local[1 << 20];
  for (int i = 0; i < 1 << 20; i += 1 << 10) local[i] = i;
  *out = local[threadIdx.x];
}

__global__ void check(const int* value) { assert(*value == 42); }
__global__ void trap_in_block(unsigned block) {
  if (blockIdx.x == block) __trap();
}
__global__ void divide(int* out, int by) { *out = 100 / by; }
__host__ __device__ void launch_write(int* out) { write_null<<<1, 1>>>(out); }
__global__ void launch_another(int* out) { launch_write(out); }

__global__ void wait_then_fault(int* pointer) {
  __syncthreads();
  if (threadIdx.x == 40) *pointer = 1;
  __syncthreads();
}

__global__ void store(int* out, int value) { *out = value; }

template <int N>
__global__ void templated_fault(int* pointer) {
  pointer[N] = 1;
}

}  // namespace

TEST_CASE("a null pointer is an illegal address, and the sentence names kernel, block and thread") {
  const std::string sentence =
      fault_of(cudaErrorIllegalAddress, [] { write_null<<<1, 1>>>(nullptr); });
  REQUIRE_CONTAINS(sentence, "kernel write_null, block (0,0,0), thread (0,0,0): ");
  REQUIRE_CONTAINS(sentence, "a null pointer");
  REQUIRE_CONTAINS(sentence, "writes address");
}

TEST_CASE("an address that is not mapped is an illegal address") {
  const std::string sentence = fault_of(cudaErrorIllegalAddress, [] {
    read_at<<<1, 1>>>(reinterpret_cast<int*>(0x10000000000), nullptr);
  });
  REQUIRE_CONTAINS(sentence, "0x10000000000");
  REQUIRE_CONTAINS(sentence, "reads address");
}

TEST_CASE("an address far behind an allocation is described by that allocation") {
  const std::string sentence = fault_of(cudaErrorIllegalAddress, [] {
    int* data = nullptr;
    cudaMalloc(&data, 400);
    write_far<<<2, 32>>>(data, 100 + (1 << 28));
  });
  REQUIRE_CONTAINS(sentence, "thread (3,0,0)");
  REQUIRE_CONTAINS(sentence, "1073741824 bytes past the end of a device allocation of 400 bytes");
}

TEST_CASE("an array that was passed is named with its own size, not its allocation") {
  const auto fault = [](bool is_passed) {
    return fault_of(cudaErrorIllegalAddress, [&] {
      int* data = nullptr;
      cudaMalloc(&data, 400);
      const tilelab::PassedArray array{data + 10, 40, "out"};
      tilelab::emulator::name_passed_arrays(std::span(&array, is_passed ? 1 : 0));
      write_far<<<1, 32>>>(data, 20 + (1 << 28));
    });
  };
  const std::string named = fault(true), unnamed = fault(false);
  REQUIRE_CONTAINS(named, "1073741824 bytes past the end of out, which has 40 bytes");
  REQUIRE_CONTAINS(unnamed, "past the end of a device allocation of 400 bytes");
}

TEST_CASE("a stack overflow is reported, of recursion and of one huge array") {
  const std::string deep = fault_of(cudaErrorHardwareStackError, [] {
    int* out = nullptr;
    cudaMalloc(&out, 4);
    recurse<<<1, 1>>>(out, 1000);
  });
  REQUIRE_CONTAINS(deep, "kernel recurse");
  REQUIRE_CONTAINS(deep, "stack overflow");
  const std::string huge = fault_of(cudaErrorHardwareStackError, [] {
    int* out = nullptr;
    cudaMalloc(&out, 4);
    huge_local<<<1, 32>>>(out);
  });
  REQUIRE_CONTAINS(huge, "stack overflow");
}

TEST_CASE("a failed assertion is reported with its text and place") {
  const std::string sentence = fault_of(cudaErrorAssert, [] {
    int* value = nullptr;
    cudaMalloc(&value, 4);
    cudaMemset(value, 0, 4);
    check<<<1, 1>>>(value);
  });
  REQUIRE_CONTAINS(sentence, "assertion `*value == 42' failed");
  REQUIRE_CONTAINS(sentence, "fault_test.cu:");
}

TEST_CASE("__trap(), division by zero and launches from kernels are faults") {
  REQUIRE_CONTAINS(fault_of(cudaErrorLaunchFailure, [] { trap_in_block<<<5, 2>>>(3); }),
                   "block (3,0,0), thread (0,0,0): executed __trap()");
  REQUIRE_CONTAINS(fault_of(cudaErrorLaunchFailure, [] { divide<<<1, 1>>>(nullptr, 0); }),
                   "divides an integer by zero");
  REQUIRE_CONTAINS(fault_of(cudaErrorNotSupported, [] { launch_another<<<1, 1>>>(nullptr); }),
                   "dynamic parallelism is not supported");
}

TEST_CASE("the kernel's template arguments are part of its name") {
  REQUIRE_CONTAINS(fault_of(cudaErrorIllegalAddress, [] { templated_fault<2><<<1, 1>>>(nullptr); }),
                   "kernel templated_fault<2>, ");
}

TEST_CASE("a fault is sticky: every call returns it until the device is reset") {
  write_null<<<1, 1>>>(nullptr);
  REQUIRE(cudaGetLastError() == cudaErrorIllegalAddress);
  REQUIRE(cudaGetLastError() == cudaErrorIllegalAddress);
  void* pointer = nullptr;
  REQUIRE(cudaMalloc(&pointer, 4) == cudaErrorIllegalAddress);
  REQUIRE(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  store<<<1, 1>>>(nullptr, 1);  // not run
  REQUIRE_CONTAINS(tilelab::emulator::fault_message(), "kernel write_null");
  REQUIRE(cudaDeviceReset() == cudaSuccess);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  REQUIRE(std::string(tilelab::emulator::fault_message()).empty());
}

TEST_CASE("after a fault among waiting threads the next launch works") {
  for (int i = 0; i < 3; ++i) {
    REQUIRE_CONTAINS(fault_of(cudaErrorIllegalAddress, [] { wait_then_fault<<<4, 64>>>(nullptr); }),
                     "block (0,0,0), thread (40,0,0)");
    DeviceArray<int> out(1);
    wait_then_fault<<<4, 64>>>(out);
    REQUIRE(cudaGetLastError() == cudaSuccess);
    REQUIRE(out.values()[0] == 1);
  }
}
