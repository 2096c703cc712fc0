// The baseline: a block adds up a tile of 256 elements, neighbors first. What is left of a tile
// lies farther and farther apart, and so do the threads that still add.

#include "reduction.h"

namespace {

constexpr int block = 256;

__global__ void sum_kernel(const float* in, float* out, int n) {
  __shared__ float tile[block];
  const int t = threadIdx.x;
  const int i = blockIdx.x * block + t;
  tile[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int distance = 1; distance < block; distance *= 2) {
    if (t % (2 * distance) == 0) tile[t] += tile[t + distance];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = tile[0];
}

int blocks_for(int n) { return (n + block - 1) / block; }

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  while (n > block) {
    const int blocks = blocks_for(n);
    sum_kernel<<<blocks, block>>>(in, work, n);
    in = work;
    work += blocks;
    n = blocks;
  }
  sum_kernel<<<1, block>>>(in, out, n);
}
