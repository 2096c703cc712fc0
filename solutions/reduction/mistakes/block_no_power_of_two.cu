// The block has 192 threads. Halving leads to 3, and then to 1: one element is left out.
// Test: sum is right for one block and less
// Says: This is the sum of only the first 2 of each 3 elements
// Task: 3

#include "reduction.h"

namespace {

constexpr int block = 192;

__global__ void sum_kernel(const float* in, float* out, int n) {
  __shared__ float tile[block];
  const int t = threadIdx.x;
  const int i = blockIdx.x * block + t;
  tile[t] = i < n ? in[i] : 0;
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
