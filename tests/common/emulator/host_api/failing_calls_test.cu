// Calls that fail because somebody asked for it, and what the program sees of it.

#include "device.h"
#include "emulator/emulator.h"

using tilelab::FailedCall;
using tilelab::emulator::begin_counting_calls;
using tilelab::emulator::end_counting_calls;

namespace {

__constant__ int constant;

__global__ void store_seven(int* out) { *out = 7; }

constexpr unsigned refused = 0, other_error = 1, in_kernel = 2;

/// One int of device memory, which holds 1.
class One {
 public:
  One() {
    const int one = 1;
    REQUIRE(cudaMalloc(&pointer_, sizeof one) == cudaSuccess);
    REQUIRE(cudaMemcpy(pointer_, &one, sizeof one, cudaMemcpyHostToDevice) == cudaSuccess);
  }
  ~One() { cudaFree(pointer_); }
  operator int*() const { return pointer_; }
  int value() const {
    int value = 0;
    REQUIRE(cudaMemcpy(&value, pointer_, sizeof value, cudaMemcpyDeviceToHost) == cudaSuccess);
    return value;
  }

 private:
  int* pointer_ = nullptr;
};

}  // namespace

TEST_CASE("the chosen call fails, does nothing and leaves its error") {
  begin_counting_calls({2, refused});
  int *first = nullptr, *second = nullptr;
  REQUIRE(cudaMalloc(&first, 4) == cudaSuccess);
  REQUIRE(cudaMalloc(&second, 400) == cudaErrorMemoryAllocation);
  REQUIRE(second == nullptr);
  REQUIRE(cudaPeekAtLastError() == cudaErrorMemoryAllocation);
  REQUIRE(cudaGetLastError() == cudaErrorMemoryAllocation);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  const FailedCall failed = end_counting_calls();
  REQUIRE(std::string(failed.name) == "cudaMalloc");
  REQUIRE(std::string(failed.error_name) == "cudaErrorMemoryAllocation");
  REQUIRE(failed.error == cudaErrorMemoryAllocation);
  REQUIRE(failed.calls == 2);
  REQUIRE(failed.ways == 1);
  REQUIRE(failed.held_bytes == 4);
  REQUIRE(std::string(failed.next).empty());
  REQUIRE(failed.code[0] != 0);
  cudaFree(first);
}

TEST_CASE("no call fails unless it is chosen, and none after the count has ended") {
  begin_counting_calls({});
  int* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, 4) == cudaSuccess);
  REQUIRE(cudaFree(memory) == cudaSuccess);
  REQUIRE(end_counting_calls().calls == 2);
  begin_counting_calls({1, refused});
  REQUIRE(end_counting_calls().calls == 0);
  REQUIRE(cudaMalloc(&memory, 4) == cudaSuccess);
  cudaFree(memory);
}

TEST_CASE("a copy that fails copies nothing") {
  const One one;
  int value = 5;
  for (const auto& [way, error] : {std::pair(refused, cudaErrorInvalidValue),
                                   std::pair(other_error, cudaErrorInvalidMemcpyDirection)}) {
    begin_counting_calls({1, way});
    REQUIRE(cudaMemcpy(&value, one, sizeof value, cudaMemcpyDeviceToHost) == error);
    REQUIRE(end_counting_calls().ways == 2);
    REQUIRE(value == 5);
    REQUIRE(cudaGetLastError() == error);
  }
}

TEST_CASE("calls that the runtime makes itself do not count") {
  const int value = 3;
  begin_counting_calls({1, refused});
  REQUIRE(cudaMemcpyToSymbol(constant, &value, sizeof value) == cudaErrorInvalidValue);
  const FailedCall failed = end_counting_calls();
  REQUIRE(failed.calls == 1);
  REQUIRE(std::string(failed.name) == "cudaMemcpyToSymbol");
  REQUIRE(cudaGetLastError() == cudaErrorInvalidValue);
}

TEST_CASE("calls that free, wait or ask do not fail") {
  begin_counting_calls({1, refused});
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  REQUIRE(end_counting_calls().ways == 0);
  begin_counting_calls({1, refused});
  REQUIRE(cudaFree(nullptr) == cudaSuccess);
  REQUIRE(end_counting_calls().ways == 0);
}

TEST_CASE("a launch that is refused runs no kernel, and only the last error tells") {
  const One one;
  begin_counting_calls({1, refused});
  store_seven<<<1, 1>>>(one);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  REQUIRE(cudaGetLastError() == cudaErrorLaunchOutOfResources);
  const FailedCall failed = end_counting_calls();
  REQUIRE(failed.is_launch == 1);
  REQUIRE(failed.is_of_kernel == 0);
  REQUIRE(std::string(failed.name).find("store_seven") != std::string::npos);
  REQUIRE(one.value() == 1);
}

TEST_CASE("a kernel that fails is told by the call that waits for it, and by all later ones") {
  const One one;
  int value = 5;
  begin_counting_calls({1, in_kernel});
  store_seven<<<1, 1>>>(one);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  REQUIRE(cudaMemcpy(&value, one, sizeof value, cudaMemcpyDeviceToHost) == cudaErrorIllegalAddress);
  REQUIRE(value == 5);
  REQUIRE(cudaGetLastError() == cudaErrorIllegalAddress);
  REQUIRE(cudaGetLastError() == cudaErrorIllegalAddress);
  REQUIRE(cudaFree(nullptr) == cudaErrorIllegalAddress);
  const FailedCall failed = end_counting_calls();
  REQUIRE(failed.is_of_kernel == 1);
  REQUIRE(std::string(failed.told_by) == "cudaMemcpy");
  REQUIRE(std::string(failed.next).empty());
  cudaDeviceReset();
}

TEST_CASE("a kernel's failure that no call waited for is told later") {
  begin_counting_calls({1, in_kernel});
  store_seven<<<1, 1>>>(nullptr);
  REQUIRE(std::string(end_counting_calls().told_by).empty());
  REQUIRE(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  cudaDeviceReset();
}

TEST_CASE("what a program starts after the failure is noted, what it frees is not") {
  const One one;
  begin_counting_calls({1, refused});
  int* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, 4) == cudaErrorMemoryAllocation);
  cudaFree(memory);
  cudaDeviceSynchronize();
  cudaMemset(one, 0, 4);
  store_seven<<<1, 1>>>(one);
  REQUIRE(std::string(end_counting_calls().next) == "cudaMemset");
  cudaGetLastError();
}
