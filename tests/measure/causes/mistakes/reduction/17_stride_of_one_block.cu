// CAUSE: each thread moves on by the threads of its block, not of the whole grid, so blocks add up the same elements
// LINES: 19
// REPAIR: i += gridDim.x * threads
// GOOD HINT: Which elements does block 0 add, and which block 1?
// SYMPTOM: sums are far too large as soon as there are two blocks

#include "reduction.h"

namespace {

constexpr int threads = 256;
constexpr int most_blocks = 1024;

// Every thread of the grid adds up many elements in a register before the tile comes in.
__global__ void partial(const float* in, float* out, int n) {
  __shared__ float warp_sums[threads / 32];
  const int t = threadIdx.x;
  float mine = 0;
  for (int i = blockIdx.x * threads + t; i < n; i += blockDim.x) mine += in[i];
  for (int d = 16; d > 0; d /= 2) mine += __shfl_down_sync(0xffffffffu, mine, d);
  if (t % 32 == 0) warp_sums[t / 32] = mine;
  __syncthreads();
  if (t < 32) {
    float total = t < threads / 32 ? warp_sums[t] : 0.0f;
    for (int d = 16; d > 0; d /= 2) total += __shfl_down_sync(0xffffffffu, total, d);
    if (t == 0) out[blockIdx.x] = total;
  }
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  int blocks = (n + 32 * threads - 1) / (32 * threads);
  if (blocks > most_blocks) blocks = most_blocks;
  if (blocks < 1) blocks = 1;
  if (blocks == 1) {
    partial<<<1, threads>>>(in, out, n);
  } else {
    partial<<<blocks, threads>>>(in, work, n);
    partial<<<1, threads>>>(work, out, blocks);
  }
}
