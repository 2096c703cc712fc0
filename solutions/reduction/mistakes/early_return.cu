// Threads without an element leave at once. Nobody fills their slots of the tile.
// Test: sum has no data race and stays within its arrays
// Says: Uninitialized read: block (0,0,0), thread
// Task: 1 or 2

#include "reduction.h"

namespace {

constexpr int block = 256;

__global__ void sum_kernel(const float* in, float* out, int n) {
  __shared__ float tile[block];
  const int t = threadIdx.x;
  const int i = blockIdx.x * block + t;
  if (i >= n) return;
  tile[t] = in[i];
  __syncthreads();
  for (int distance = block / 2; distance > 0; distance /= 2) {
    if (t < distance) tile[t] += tile[t + distance];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = tile[0];
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  while (n > block) {
    const int blocks = (n + block - 1) / block;
    sum_kernel<<<blocks, block>>>(in, work, n);
    in = work;
    work += blocks;
    n = blocks;
  }
  sum_kernel<<<1, block>>>(in, out, n);
}
