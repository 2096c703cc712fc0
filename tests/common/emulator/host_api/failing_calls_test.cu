// Calls that fail because somebody asked for it, and what the program sees of it.

#include <functional>
#include <string>

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

TEST_CASE("any call after the failure is noted, and where it was") {
  using Call = std::function<void()>;
  const One one;
  int* memory = nullptr;
  int number = 0;
  float milliseconds = 0;
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  const auto [name, call] = GENERATE_REF(table<std::string, Call>({
      {"cudaDeviceReset", [] { cudaDeviceReset(); }},
      {"cudaThreadExit", [] { cudaThreadExit(); }},
      {"cudaDeviceSynchronize", [] { cudaDeviceSynchronize(); }},
      {"cudaProfilerStop", [] { cudaProfilerStop(); }},
      {"cudaStreamSynchronize", [] { cudaStreamSynchronize(nullptr); }},
      {"cudaStreamQuery", [] { cudaStreamQuery(nullptr); }},
      {"cudaStreamCreate", [&] { cudaStreamCreate(&stream); }},
      {"cudaStreamCreateWithFlags", [&] { cudaStreamCreateWithFlags(&stream, 0); }},
      {"cudaEventCreate", [&] { cudaEventCreate(&event); }},
      {"cudaEventRecord", [&] { cudaEventRecord(event); }},
      {"cudaEventQuery", [&] { cudaEventQuery(event); }},
      {"cudaEventSynchronize", [&] { cudaEventSynchronize(event); }},
      {"cudaEventElapsedTime", [&] { cudaEventElapsedTime(&milliseconds, event, event); }},
      {"cudaSetDevice", [] { cudaSetDevice(0); }},
      {"cudaGetDevice", [&] { cudaGetDevice(&number); }},
      {"cudaMalloc", [&] { cudaMalloc(&memory, 4); }},
      {"cudaMallocAsync", [&] { cudaMallocAsync(&memory, 4, nullptr); }},
      {"cudaHostAlloc", [&] { cudaHostAlloc(&memory, 4, 0); }},
      {"cudaMemcpy", [&] { cudaMemcpy(&number, one, 4, cudaMemcpyDeviceToHost); }},
      {"cudaMemset", [&] { cudaMemset(one, 0, 4); }},
      {"cudaMemsetAsync", [&] { cudaMemsetAsync(one, 0, 4); }},
      {"cudaGetSymbolAddress", [&] { cudaGetSymbolAddress((void**)&memory, constant); }},
      {"cudaFuncSetCacheConfig",
       [] { cudaFuncSetCacheConfig(store_seven, cudaFuncCachePreferNone); }},
  }));
  CAPTURE(name);
  begin_counting_calls({1, refused});
  REQUIRE(cudaMalloc(&memory, 4) == cudaErrorMemoryAllocation);
  call();
  cudaFree(nullptr);
  const FailedCall failed = end_counting_calls();
  CHECK(std::string(failed.next) == name);
  CHECK(failed.next_code[0] != 0);
  cudaDeviceReset();
}

TEST_CASE("what frees, destroys or tells of errors may follow the failure") {
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  int *memory = nullptr, *of_stream = nullptr, *of_host = nullptr;
  begin_counting_calls({6, refused});
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  REQUIRE(cudaEventCreate(&event) == cudaSuccess);
  REQUIRE(cudaMalloc(&memory, 4) == cudaSuccess);
  REQUIRE(cudaMallocAsync(&of_stream, 4, stream) == cudaSuccess);
  REQUIRE(cudaMallocHost(&of_host, 4) == cudaSuccess);
  const cudaError_t error = cudaMemset(memory, 0, 4);
  REQUIRE(error == cudaErrorInvalidValue);
  REQUIRE(std::string(cudaGetErrorName(error)) == "cudaErrorInvalidValue");
  REQUIRE(cudaGetErrorString(error) != nullptr);
  REQUIRE(cudaPeekAtLastError() == error);
  REQUIRE(cudaGetLastError() == error);
  cudaFree(nullptr);
  cudaFree(memory);
  cudaFreeAsync(of_stream, stream);
  cudaFreeHost(of_host);
  cudaEventDestroy(event);
  cudaStreamDestroy(stream);
  REQUIRE(std::string(end_counting_calls().next).empty());
}

TEST_CASE("what a function leaves behind is counted") {
  cudaStream_t stream = nullptr, kept = nullptr;
  cudaEvent_t event = nullptr;
  cudaStreamCreate(&kept);
  begin_counting_calls({});
  cudaStreamCreate(&stream);
  cudaEventCreate(&event);
  const FailedCall left = end_counting_calls();
  REQUIRE(left.held_streams == 1);
  REQUIRE(left.held_events == 1);
  begin_counting_calls({});
  cudaStreamDestroy(stream);
  cudaEventDestroy(event);
  cudaStreamDestroy(kept);
  REQUIRE(end_counting_calls().held_streams == 0);
}

TEST_CASE("before a program asks whether a launch was refused, it may wait, but start nothing") {
  const One one;
  begin_counting_calls({1, refused});
  store_seven<<<1, 1>>>(one);
  SECTION("it waits") {
    cudaDeviceSynchronize();
    REQUIRE(cudaGetLastError() == cudaErrorLaunchOutOfResources);
    REQUIRE(std::string(end_counting_calls().next).empty());
  }
  SECTION("it waits once more than it may") {
    REQUIRE(cudaPeekAtLastError() == cudaErrorLaunchOutOfResources);
    cudaDeviceSynchronize();
    REQUIRE(std::string(end_counting_calls().next) == "cudaDeviceSynchronize");
  }
  SECTION("it starts something") {
    cudaMemset(one, 0, 4);
    REQUIRE(std::string(end_counting_calls().next) == "cudaMemset");
  }
  cudaGetLastError();
}

TEST_CASE("once a call has told of the kernel's failure, no other may follow") {
  begin_counting_calls({1, in_kernel});
  store_seven<<<1, 1>>>(nullptr);
  REQUIRE(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  cudaFree(nullptr);
  std::string next;
  SECTION("it asks") { REQUIRE(cudaGetLastError() == cudaErrorIllegalAddress); }
  SECTION("it goes on") {
    next = "cudaDeviceSynchronize";
    REQUIRE(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  }
  const FailedCall failed = end_counting_calls();
  REQUIRE(std::string(failed.told_by) == "cudaDeviceSynchronize");
  REQUIRE(std::string(failed.next) == next);
  cudaDeviceReset();
}
