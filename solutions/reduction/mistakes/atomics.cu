// The blocks add their sums with atomics, in the order in which they happen to come. Each order
// rounds differently.
// Test: sum has the same bits in every order of the threads
// Says: the order of the additions
// Task: 5

#include "reduction.h"

namespace {

constexpr int block = 256;

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
  if (t == 0) atomicAdd(out, tile[0]);
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  cudaMemsetAsync(out, 0, sizeof(float));
  if (n > 0) sum_kernel<<<(n + block - 1) / block, block>>>(in, out, n);
}
