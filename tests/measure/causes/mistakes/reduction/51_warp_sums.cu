// CAUSE: The first warp reads the sums of all warps from shared memory, but nothing makes it wait until the other warps have stored theirs: the barrier in between is missing.
// LINES: 28
// REPAIR: line 28: `if (threadIdx.x % 32 == 0) warp_sums[threadIdx.x / 32] = value;` -> `if (threadIdx.x % 32 == 0) warp_sums[threadIdx.x / 32] = value; __syncthreads();`
// SYMPTOM: A data race on warp_sums; from time to time the sum lacks the elements of some warps or has what was in shared memory before, so results change from run to run.
#include "reduction.h"

namespace {

constexpr int block = 256;
constexpr int warps = block / 32;
constexpr int most_blocks = 1024;

__device__ float warp_sum(float value) {
  for (int offset = 16; offset > 0; offset /= 2) {
    value += __shfl_down_sync(0xffffffff, value, offset);
  }
  return value;
}

// out[b] becomes the sum of what block b gets of in.
__global__ void block_sums(const float* in, float* out, int n) {
  __shared__ float warp_sums[warps];
  const int stride = gridDim.x * block;
  float value = 0;
  for (long long i = blockIdx.x * block + threadIdx.x; i < n; i += stride) value += in[i];

  value = warp_sum(value);
  if (threadIdx.x % 32 == 0) warp_sums[threadIdx.x / 32] = value;
  if (threadIdx.x < 32) {
    value = threadIdx.x < warps ? warp_sums[threadIdx.x] : 0.0f;
    value = warp_sum(value);
    if (threadIdx.x == 0) out[blockIdx.x] = value;
  }
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  int blocks = (n + block - 1) / block;
  if (blocks > most_blocks) blocks = most_blocks;
  if (blocks <= 1) {
    block_sums<<<1, block>>>(in, out, n);
  } else {
    block_sums<<<blocks, block>>>(in, work, n);
    block_sums<<<1, block>>>(work, out, blocks);
  }
}
