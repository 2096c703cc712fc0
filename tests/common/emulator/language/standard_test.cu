// What device code uses of cuda::std and cuda::atomic, with headers in whatever order.

#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/cmath>
#include <cuda/std/array>
#include <cuda/std/bitset>
#include <cuda/std/ccomplex>
#include <cuda/std/ctime>
#include <cuda/std/expected>
#include <cuda/std/inplace_vector>
#include <cuda/std/latch>
#include <cuda/std/limits>
#include <cuda/std/linalg>
#include <cuda/std/mdspan>
#include <cuda/std/memory>
#include <cuda/std/ranges>
#include <cuda/std/semaphore>
#include <cuda/std/source_location>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
#include <cuda/std/version>

#include "device.h"
#include "device_array.h"

namespace {

consteval int three() { return 3; }

__global__ void use_standard_names(int* out) {
  cuda::std::array<int, three()> numbers{4, 5, 6};
  cuda::std::swap(numbers[0], numbers[2]);
  out[0] = cuda::std::max(numbers[0], numbers[1]);
  out[1] = cuda::std::numeric_limits<int>::max();
  out[2] = cuda::std::is_same_v<int, cuda::std::remove_const_t<const int>>;
  out[3] = static_cast<int>(cuda::std::bitset<8>(7).count());
}

__global__ void count(cuda::atomic<int, cuda::thread_scope_device>* counter, int* out) {
  const int before = counter->fetch_add(2, cuda::memory_order_relaxed);
  cuda::atomic_ref<int, cuda::thread_scope_block> own(out[blockIdx.x]);
  own += before >= 0 ? 1 : 0;
  int expected = -1;
  if (own.compare_exchange_strong(expected, 7)) out[0] = 100;
  __nanosleep(10);
}

}  // namespace

TEST_CASE("device code may use cuda::std") {
  DeviceArray<int> out(4);
  use_standard_names<<<1, 1>>>(out);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  REQUIRE(out.values() == std::vector{6, 2147483647, 1, 3});
}

TEST_CASE("atomics have members, scopes and orders") {
  DeviceArray<int> out(2);
  cuda::atomic<int, cuda::thread_scope_device>* counter = nullptr;
  REQUIRE(cudaMalloc(&counter, sizeof *counter) == cudaSuccess);
  REQUIRE(cudaMemset(counter, 0, sizeof *counter) == cudaSuccess);
  REQUIRE(cudaMemset(out, 0, 2 * sizeof(int)) == cudaSuccess);
  count<<<2, 64>>>(counter, out);
  int counted = 0;
  REQUIRE(cudaMemcpy(&counted, counter, sizeof counted, cudaMemcpyDefault) == cudaSuccess);
  REQUIRE(counted == 2 * 128);
  REQUIRE(out.values() == std::vector{64, 64});
  REQUIRE(cudaFree(counter) == cudaSuccess);
  cuda::atomic_thread_fence(cuda::memory_order_seq_cst);  // host code may call it, too
}

TEST_CASE("whole numbers are divided and rounded as in CUDA's libraries") {
  STATIC_REQUIRE(cuda::ceil_div(0, 32) == 0);
  STATIC_REQUIRE(cuda::ceil_div(33, 32u) == 2);
  STATIC_REQUIRE(cuda::ceil_div(0x7fffffff, 2) == 0x40000000);
  STATIC_REQUIRE(cuda::round_up(1000, 256) == 1024);
  STATIC_REQUIRE(cuda::round_down(1000LL, 256) == 768);
  STATIC_REQUIRE(cuda::ilog2(1) == 0);
  STATIC_REQUIRE(cuda::ilog2(1023u) == 9);
  STATIC_REQUIRE(cuda::ilog10(1000) == 3);
}
