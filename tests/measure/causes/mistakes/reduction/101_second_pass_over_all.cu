// CAUSE: The second pass adds up the sums of the blocks, of which there are `blocks`. It is launched with n.
// LINES: 45
// REPAIR: line 45: `partial_sums<<<1, block>>>(work, out, n);` -> `partial_sums<<<1, block>>>(work, out, blocks);`
// SYMPTOM: Wrong sums, and reads past the end of work.

#include "reduction.h"

namespace {

constexpr int block = 256;
constexpr int most_blocks = 512;

__device__ float add_up_block(float value) {
  __shared__ float slots[block];
  const int t = threadIdx.x;
  slots[t] = value;
  __syncthreads();
  for (int distance = block / 2; distance > 0; distance /= 2) {
    if (t < distance) slots[t] += slots[t + distance];
    __syncthreads();
  }
  return slots[0];
}

__global__ void partial_sums(const float* in, float* out, int n) {
  float own = 0;
  const int step = gridDim.x * block;
  for (int i = blockIdx.x * block + threadIdx.x; i < n; i += step) own += in[i];
  const float total = add_up_block(own);
  if (threadIdx.x == 0) out[blockIdx.x] = total;
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  const int needed = (n + block - 1) / block;
  const int by_memory = n / 32 + 64;
  int blocks = needed < most_blocks ? needed : most_blocks;
  if (blocks > by_memory) blocks = by_memory;
  if (blocks <= 1) {
    partial_sums<<<1, block>>>(in, out, n);
    return;
  }
  partial_sums<<<blocks, block>>>(in, work, n);
  partial_sums<<<1, block>>>(work, out, n);
}
