// CAUSE: two mistakes: all 32 lanes of the first warp read s, which has eight slots; and for n = 0 the grid has no blocks
// LINES: 24, 36
// REPAIR: t < threads / 32 ? s[t] : 0; at least one block
// GOOD HINT: How many warps have stored a sum? How many blocks are there for n = 0?
// SYMPTOM: reads outside of shared memory; a launch that fails for n = 0

#include "reduction.h"

namespace {

constexpr int threads = 256;
constexpr int most_blocks = 1024;

// Every thread of the grid adds up many elements in a register before the tile comes in.
__global__ void partial(const float* in, float* out, int n) {
  __shared__ float s[threads / 32];
  const int t = threadIdx.x;
  float acc = 0;
  for (int i = blockIdx.x * threads + t; i < n; i += gridDim.x * threads) acc += in[i];
  for (int d = 16; d > 0; d /= 2) acc += __shfl_down_sync(0xffffffffu, acc, d);
  if (t % 32 == 0) s[t / 32] = acc;
  __syncthreads();
  if (t < 32) {
    float total = s[t];
    for (int d = 16; d > 0; d /= 2) total += __shfl_down_sync(0xffffffffu, total, d);
    if (t == 0) out[blockIdx.x] = total;
  }
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  int blocks = (n + 32 * threads - 1) / (32 * threads);
  if (blocks > most_blocks) blocks = most_blocks;
  if (blocks <= 1) {
    partial<<<blocks, threads>>>(in, out, n);
  } else {
    partial<<<blocks, threads>>>(in, work, n);
    partial<<<1, threads>>>(work, out, blocks);
  }
}
