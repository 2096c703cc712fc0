// CAUSE: In the last step all 32 lanes load the sum of a warp, but a block has only eight warps. The other lanes have to take part with a 0.
// LINES: 23
// REPAIR: line 23: `of_warp[lane])` -> `lane < warps ? of_warp[lane] : 0)`
// SYMPTOM: Lanes from 8 on read past the end of the array of sums, and add what they find there.

#include "reduction.h"

namespace {

constexpr int block = 256, warps = block / 32, most_blocks = 1024;

__device__ float warp_sum(float value) {
  for (int d = 16; d > 0; d /= 2) value += __shfl_down_sync(0xffffffff, value, d);
  return value;
}

__device__ float block_sum(float value) {
  __shared__ float of_warp[warps];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  value = warp_sum(value);
  if (lane == 0) of_warp[warp] = value;
  __syncthreads();
  return warp == 0 ? warp_sum(of_warp[lane]) : 0;
}

__global__ void sum_kernel(const float* in, float* out, int n) {
  float own = 0;
  const int step = gridDim.x * block;
  for (int i = blockIdx.x * block + threadIdx.x; i < n; i += step) own += in[i];
  const float all = block_sum(own);
  if (threadIdx.x == 0) out[blockIdx.x] = all;
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  const int wanted = (n + 16 * block - 1) / (16 * block);
  const int blocks = wanted < most_blocks ? wanted : most_blocks;
  if (blocks <= 1) {
    sum_kernel<<<1, block>>>(in, out, n);
  } else {
    sum_kernel<<<blocks, block>>>(in, work, n);
    sum_kernel<<<1, block>>>(work, out, blocks);
  }
}
