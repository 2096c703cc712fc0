// CAUSE: A block of 512 threads has 16 warps, but the last shuffles start at distance 4 and add up the sums of only 8 of them.
// LINES: 35
// REPAIR: v = warp_sum(v, warps / 2);
// SYMPTOM: What threads 256 to 511 of each block have added is missing from the sum, so it is wrong for n > 256.

#include "reduction.h"

namespace {

constexpr int block = 512;
constexpr int warps = block / 32;
constexpr int most_blocks = 1024;

// Lane 0 gets the sum of the first 2 * distance lanes.
__device__ float warp_sum(float v, int distance) {
  for (; distance > 0; distance >>= 1) v += __shfl_down_sync(0xffffffffu, v, distance);
  return v;
}

__global__ void sum_kernel(const float* in, float* out, int n) {
  __shared__ float partial[warps];
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;

  float v = 0;
  const int stride = gridDim.x * block;
  for (int i = blockIdx.x * block + threadIdx.x; i < n; i += stride) v += in[i];

  v = warp_sum(v, 16);
  if (lane == 0) partial[warp] = v;
  __syncthreads();

  if (warp == 0) {
    v = lane < warps ? partial[lane] : 0.0f;
    v = warp_sum(v, 4);
    if (lane == 0) out[blockIdx.x] = v;
  }
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  if (n <= block) {
    sum_kernel<<<1, block>>>(in, out, n);
    return;
  }
  const int needed = (n + block - 1) / block;
  const int blocks = needed < most_blocks ? needed : most_blocks;
  sum_kernel<<<blocks, block>>>(in, work, n);
  sum_kernel<<<1, block>>>(work, out, blocks);
}
