// CAUSE: Two mistakes. (1) The step of the loop is the number of threads of the block, not of the whole grid, so with several blocks elements are added more than once. (2) For n = 0 the function returns without storing the empty sum, 0, in out[0].
// LINES: 22 37
// REPAIR: line 22: `i += threads;` -> `i += threads * gridDim.x;`; line 37: delete `if (n == 0) return;`
// SYMPTOM: With more than one block the sum is too large; for n = 0 out[0] is not written.

#include <algorithm>

#include "reduction.h"

namespace {

constexpr int threads = 512;

__global__ void accumulate(const float* in, float* out, int n) {
  __shared__ float tile[threads];
  const int t = threadIdx.x;

  float acc = 0;
  int i = blockIdx.x * threads + t;
  while (i < n) {
    acc += in[i];
    i += threads;
  }
  tile[t] = acc;

  for (int d = threads / 2; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) tile[t] = tile[t] + tile[t + d];
  }

  if (t == 0) *(out + blockIdx.x) = tile[0];
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  if (n == 0) return;
  const int blocks = std::min(256, n / (8 * threads) + 1);
  accumulate<<<blocks, threads>>>(in, blocks > 1 ? work : out, n);
  if (blocks > 1) accumulate<<<1, threads>>>(work, out, blocks);
}
