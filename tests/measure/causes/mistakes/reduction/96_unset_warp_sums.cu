// CAUSE: The first warp adds up 32 sums of warps, but the block of 256 threads has only 8 warps, so slots 8 to 31 of warp_sum were never written.
// LINES: 29
// REPAIR: line 29: `value = warp_sum[lane];` -> `value = lane < warps ? warp_sum[lane] : 0;`
// SYMPTOM: Uninitialized shared memory is added to the sum of each block: arbitrary results.

#include "reduction.h"

namespace {

constexpr int block = 256;
constexpr int warps = block / 32;
static_assert(warps <= 32, "one warp adds up the sums of all");
constexpr int most_blocks = 1024;
constexpr unsigned everybody = 0xffffffff;

__device__ float warp_reduce(float value) {
  for (int distance = 16; distance > 0; distance /= 2)
    value += __shfl_down_sync(everybody, value, distance);
  return value;
}

__device__ float block_reduce(float value) {
  __shared__ float warp_sum[32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  value = warp_reduce(value);
  if (lane == 0) warp_sum[warp] = value;
  __syncthreads();
  if (warp == 0) {
    value = warp_sum[lane];
    value = warp_reduce(value);
  }
  return value;
}

__global__ void sum_kernel(const float* in, float* out, int n) {
  float sum = 0;
  const int threads = gridDim.x * block;
  for (int i = blockIdx.x * block + threadIdx.x; i < n; i += threads) sum += in[i];
  sum = block_reduce(sum);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  // At least 16 elements per thread, so that `work` has room for the sums of the blocks.
  int blocks = n / (16 * block) + 1;
  if (blocks > most_blocks) blocks = most_blocks;
  if (blocks == 1) {
    sum_kernel<<<1, block>>>(in, out, n);
  } else {
    sum_kernel<<<blocks, block>>>(in, work, n);
    sum_kernel<<<1, block>>>(work, out, blocks);
  }
}
