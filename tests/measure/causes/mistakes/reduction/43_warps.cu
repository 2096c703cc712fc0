// CAUSE: A block has 8 warps, so only totals[0] to totals[7] are set, but all 32 lanes of the first warp read and add up a slot.
// LINES: 30
// REPAIR: line 30: `v = totals[lane];` -> `v = lane < warps ? totals[lane] : 0.0f;`
// SYMPTOM: Shared memory that nobody wrote is read (slots 8 to 31), and its contents are part of every sum.
#include "reduction.h"

namespace {

constexpr int block = 256;
constexpr int warps = block / 32;
constexpr int grid_limit = 1056;

__device__ float warp_total(float v) {
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
  return v;  // complete in lane 0
}

__global__ void reduce(const float* src, float* dst, int n) {
  __shared__ float totals[32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;

  float v = 0;
  for (int i = blockIdx.x * block + threadIdx.x; i < n; i += gridDim.x * block) v += src[i];

  v = warp_total(v);
  if (lane == 0) totals[warp] = v;
  __syncthreads();

  if (warp == 0) {
    v = totals[lane];
    v = warp_total(v);
    if (lane == 0) dst[blockIdx.x] = v;
  }
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  int blocks = (n + block - 1) / block;
  if (blocks > grid_limit) blocks = grid_limit;
  if (blocks <= 1) {
    reduce<<<1, block>>>(in, out, n);
    return;
  }
  reduce<<<blocks, block>>>(in, work, n);
  reduce<<<1, block>>>(work, out, blocks);
}
