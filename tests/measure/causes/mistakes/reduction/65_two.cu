// CAUSE: (1) The first threads add neighbors, so the lanes of a warp are 2, 4, 8 ... words apart and share banks. (2) With n = 0 the function returns without storing the sum 0.
// LINES: 19 20 21 31
// REPAIR: (1) for (int d = block / 2; d > 0; d /= 2) with if (t < d) buf[t] += buf[t + d]; (2) delete the return.
// SYMPTOM: Bank conflicts in the tile (memory points lost), and out[0] is not written for n = 0.

#include "reduction.h"

namespace {

constexpr int block = 256;

__global__ void sum_kernel(const float* in, float* out, int n) {
  __shared__ float buf[block];
  const int t = threadIdx.x;
  const int i = blockIdx.x * block + t;
  buf[t] = i < n ? in[i] : 0.0f;
  __syncthreads();

  for (int d = 1; d < block; d *= 2) {
    const int to = 2 * d * t;
    if (to < block) buf[to] += buf[to + d];
    __syncthreads();
  }

  if (t == 0) out[blockIdx.x] = buf[0];
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  if (n == 0) return;

  while (n > block) {
    const int blocks = (n + block - 1) / block;
    sum_kernel<<<blocks, block>>>(in, work, n);
    in = work;
    work += blocks;
    n = blocks;
  }
  sum_kernel<<<1, block>>>(in, out, n);
}
