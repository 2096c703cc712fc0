// Each thread adds up a piece of neighbors. So the lanes of a warp load from far apart.
// Test: sum reads each element once, and few warps stay to add
// Says: sector bytes wasted per useful byte
// Task: 1

#include "reduction.h"

namespace {

constexpr int block = 256;

__global__ void sum_kernel(const float* in, float* out, int n) {
  __shared__ float tile[block];
  const int t = threadIdx.x;
  const int i = blockIdx.x * block + t;
  constexpr int each = 8;
  float own = 0;
  for (int k = i * each; k < (i + 1) * each; ++k) own += k < n ? in[k] : 0;
  tile[t] = own;
  __syncthreads();
  for (int distance = block / 2; distance > 0; distance /= 2) {
    if (t < distance) tile[t] += tile[t + distance];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = tile[0];
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  while (n > 8 * block) {
    const int blocks = (n + 8 * block - 1) / (8 * block);
    sum_kernel<<<blocks, block>>>(in, work, n);
    in = work;
    work += blocks;
    n = blocks;
  }
  sum_kernel<<<1, block>>>(in, out, n);
}
