// Each thread adds its element to the sum, one after the other, in any order.
// Test: sum has the same bits in every order of the threads
// Says: the order of the additions
// Task: 5

#include "reduction.h"

namespace {

constexpr int block = 256;

__global__ void sum_kernel(const float* in, float* out, int n) {
  const int i = blockIdx.x * block + threadIdx.x;
  if (i < n) atomicAdd(out, in[i]);
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  cudaMemsetAsync(out, 0, sizeof(float));
  if (n > 0) sum_kernel<<<(n + block - 1) / block, block>>>(in, out, n);
}
