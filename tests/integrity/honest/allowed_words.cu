// The attributes, pragmas and builtin functions that kernels have a use for.
// Lab: diff
// Verdict: graded
// Earns: everything

#include <vector>

#include "diff.h"

namespace {

constexpr int block = 256;
constexpr int per_thread = 2;

struct __align__(8) Pair {
  int first;
  int second;
};
struct __attribute__((aligned(16))) Quad {
  int value[4];
};
union alignas(8) Either {
  Pair pair;
  long long both;
};

[[nodiscard]] __device__ __forceinline__ int clamped(int i, int n) {
  return __builtin_expect(i < n, 1) ? i : n - 1;
}

__host__ __device__ __noinline__ int groups_of(int n) { return (n + block - 1) / block; }

[[maybe_unused]] __device__ __inline__ Quad zero() { return {}; }

__device__ inline __attribute__((always_inline)) unsigned bits(unsigned word) {
  return __popc(word) + __clz(static_cast<int>(word)) + __builtin_popcount(word);
}

template <int size>
__global__ __launch_bounds__(block, 2) void diff_kernel(const int* __restrict__ in,
                                                        int* __restrict__ out, const int n) {
  __shared__ __align__(16) int tile[block];
  const int i = blockIdx.x * block + threadIdx.x;
  tile[threadIdx.x] = __ldg(in + clamped(i, n));
  __syncthreads();
  if (i >= n) [[unlikely]]
    return;
  int steps = 0;
#pragma unroll
  for (int step = 0; step < size; ++step) steps += step;
#pragma unroll 4
  for (int step = 0; step < size; ++step) steps -= step;
#pragma nounroll
  for (int step = 0; step < size; ++step) steps += 0;
  _Pragma("unroll") for (int step = 0; step < size; ++step) steps += 0;
  switch (steps) {
    case 1:
      ++steps;
      [[fallthrough]];
    default:
      break;
  }
  const int left = threadIdx.x > 0 ? tile[threadIdx.x - 1] : i > 0 ? __ldg(in + i - 1) : 0;
  __stcs(out + i, tile[threadIdx.x] - left + steps);
}

}  // namespace

void diff(const int* in, int* out, int n) {
  [[maybe_unused]] const std::vector<Quad> unused(2);
  if (n > 0) diff_kernel<per_thread><<<groups_of(n), block>>>(in, out, n);
}
