#include "device.h"

namespace {

__global__ void reduce(const int* in, int* out, int n) {
  __shared__ int tile[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) tile[threadIdx.x] += tile[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = tile[0];
}

__global__ void vote(int* counts, int* alls, int* anys) {
  const int even = threadIdx.x % 2 == 0;
  counts[threadIdx.x] = __syncthreads_count(even);
  alls[threadIdx.x] = 10 * __syncthreads_and(even) + __syncthreads_and(1);
  anys[threadIdx.x] = 10 * __syncthreads_or(even) + __syncthreads_or(0);
}

__global__ void leave_early(int* out, int n) {
  __shared__ int arrived;
  if (threadIdx.x >= n) return;
  if (threadIdx.x == 0) arrived = 0;
  __syncthreads();
  atomicAdd(&arrived, 1);
  __syncthreads();
  if (threadIdx.x == 0) *out = arrived;
}

constexpr int diverge_line = __LINE__;
__global__ void diverge() {
  if (threadIdx.x < 16) {
    __syncthreads();
  } else {
    __syncthreads();
  }
}

// clang-format off
constexpr int one_line = __LINE__ + 2;
__global__ void diverge_on_one_line() {
  if (threadIdx.x < 16) { __syncthreads(); } else { __syncthreads(); }
}
// clang-format on

__global__ void many_barriers(int* out, int rounds) {
  __shared__ int turn[1024];
  turn[threadIdx.x] = threadIdx.x;
  for (int round = 0; round < rounds; ++round) {
    __syncthreads();
    const int next = turn[(threadIdx.x + 1) % blockDim.x];
    __syncthreads();
    turn[threadIdx.x] = next;
  }
  out[threadIdx.x] = turn[threadIdx.x];
}

}  // namespace

TEST_CASE("a block reduction gives the sum") {
  constexpr int n = 1000;
  std::vector<int> in(n);
  for (int i = 0; i < n; ++i) in[i] = i;
  DeviceArray<int> device_in(in), out(4);
  reduce<<<4, 256>>>(device_in, out, n);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  int sum = 0;
  for (const int part : out.values()) sum += part;
  REQUIRE(sum == n * (n - 1) / 2);
}

TEST_CASE("voting barriers give every thread the same result") {
  constexpr int n = 75;
  DeviceArray<int> counts(n), alls(n), anys(n);
  vote<<<1, n>>>(counts, alls, anys);
  REQUIRE(counts.values() == std::vector<int>(n, 38));
  REQUIRE(alls.values() == std::vector<int>(n, 1));
  REQUIRE(anys.values() == std::vector<int>(n, 10));
}

TEST_CASE("a barrier does not wait for threads that have exited") {
  DeviceArray<int> out(1);
  leave_early<<<1, 128>>>(out, 37);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  REQUIRE(out.values()[0] == 37);
}

TEST_CASE("values travel through shared memory for many rounds, whatever the block's size") {
  for (const int threads : {1, 31, 32, 33, 64, 100, 1024}) {
    DeviceArray<int> out(threads);
    many_barriers<<<1, threads>>>(out, 50);
    const auto values = out.values();
    for (int i = 0; i < threads; ++i) REQUIRE(values[i] == (i + 50) % threads);
  }
}

TEST_CASE("threads at different barriers are a fault that names both places") {
  const std::string sentence = fault_of(cudaErrorLaunchFailure, [] { diverge<<<2, 32>>>(); });
  REQUIRE_CONTAINS(sentence, "kernel diverge, block (0,0,0), thread (16,0,0)");
  REQUIRE_CONTAINS(sentence, place(__FILE__, diverge_line + 3));
  REQUIRE_CONTAINS(sentence, place(__FILE__, diverge_line + 5));
  REQUIRE_CONTAINS(sentence, "thread (0,0,0)");
}

TEST_CASE("two barriers on one line are two barriers") {
  const std::string sentence =
      fault_of(cudaErrorLaunchFailure, [] { diverge_on_one_line<<<1, 32>>>(); });
  REQUIRE_CONTAINS(sentence, place(__FILE__, one_line));
  REQUIRE_CONTAINS(sentence, "columns");
}
