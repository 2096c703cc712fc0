// CAUSE: The loop over the shuffles ends before offset 1 (offset > 1 instead of offset > 0), so the last round is missing, and lane 0 never gets what is in lane 1: half of the elements of each warp are lost.
// LINES: 15
// REPAIR: line 15: `for (int offset = 16; offset > 1; offset >>= 1) {` -> `for (int offset = 16; offset > 0; offset >>= 1) {`
// SYMPTOM: Wrong sums from two elements on: only the elements that end up in even lanes are counted.

#include "reduction.h"

namespace {

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;
constexpr int kBlocks = 264;  // at most

__device__ float warpSum(float v) {
  for (int offset = 16; offset > 1; offset >>= 1) {
    v += __shfl_down_sync(0xffffffff, v, offset);
  }
  return v;  // complete in lane 0
}

__global__ void blockSums(const float* in, float* out, int n) {
  __shared__ float ofWarp[kWarps];
  const int lane = threadIdx.x & 31;
  const int warp = threadIdx.x >> 5;

  float mine = 0.0f;
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < n; i += gridDim.x * kThreads) {
    mine += in[i];
  }

  mine = warpSum(mine);
  if (lane == 0) ofWarp[warp] = mine;
  __syncthreads();

  if (warp == 0) {
    // few enough for one thread
    if (lane == 0) {
      float total = 0.0f;
      for (int w = 0; w < kWarps; ++w) total += ofWarp[w];
      out[blockIdx.x] = total;
    }
  }
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  int blocks = (n + 16 * kThreads - 1) / (16 * kThreads);
  if (blocks > kBlocks) blocks = kBlocks;
  if (blocks <= 1) {
    blockSums<<<1, kThreads>>>(in, out, n);
  } else {
    blockSums<<<blocks, kThreads>>>(in, work, n);
    blockSums<<<1, kThreads>>>(work, out, blocks);
  }
}
