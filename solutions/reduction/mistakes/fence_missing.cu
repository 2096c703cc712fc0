// The last block adds up the others' sums, but nothing makes these visible before the counter is.
// Test: sum has no data race and stays within its arrays
// Says: passed no __threadfence() between its access and the counter
// Task: 5

#include "reduction.h"

namespace {

constexpr int block = 256;

__device__ unsigned done = 0;  // blocks that have stored their sum

__device__ void sum_of_tile(float* tile) {
  for (int distance = block / 2; distance > 0; distance /= 2) {
    __syncthreads();
    if (threadIdx.x < distance) tile[threadIdx.x] += tile[threadIdx.x + distance];
  }
}

__global__ void sum_kernel(const float* in, float* out, float* work, int n) {
  __shared__ float tile[block];
  __shared__ bool is_last;
  const int t = threadIdx.x;
  const int i = blockIdx.x * block + t;
  tile[t] = i < n ? in[i] : 0;
  sum_of_tile(tile);
  if (t == 0) {
    work[blockIdx.x] = tile[0];
    is_last = atomicAdd(&done, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last) return;
  __threadfence();
  tile[t] = 0;
  for (int k = t; k < gridDim.x; k += block) tile[t] += work[k];
  sum_of_tile(tile);
  if (t == 0) {
    *out = tile[0];
    done = 0;
  }
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  const int blocks = n > 0 ? (n + block - 1) / block : 1;
  sum_kernel<<<blocks, block>>>(in, out, work, n);
}
