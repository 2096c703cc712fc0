// CAUSE: The block has eight warps, so eight slots of warp_sums are filled. All 32 lanes of warp 0 read one.
// LINES: 33
// REPAIR: line 33: `v = warp_sum(warp_sums[lane]);` -> `v = warp_sum(lane < warps ? warp_sums[lane] : 0.0f);`
// SYMPTOM: Uninitialized reads, and wrong sums.

#include "reduction.h"

namespace {

constexpr int warp_size = 32;
constexpr int warps = 8;
constexpr int block = warps * warp_size;
constexpr unsigned everybody = 0xffffffffu;

__device__ float warp_sum(float v) {
#pragma unroll
  for (int offset = warp_size / 2; offset > 0; offset >>= 1) {
    v += __shfl_down_sync(everybody, v, offset);
  }
  return v;
}

__global__ void block_sums(const float* in, float* out, int n) {
  __shared__ float warp_sums[warp_size];
  const int i = blockIdx.x * block + threadIdx.x;
  const int lane = threadIdx.x & (warp_size - 1);
  const int warp = threadIdx.x / warp_size;

  float v = warp_sum(i < n ? in[i] : 0.0f);
  if (lane == 0) warp_sums[warp] = v;
  __syncthreads();
  if (warp == 0) {
    v = warp_sum(warp_sums[lane]);
    if (lane == 0) out[blockIdx.x] = v;
  }
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  const float* from = in;
  float* to = work;
  while (true) {
    const int blocks = n > 0 ? (n + block - 1) / block : 1;
    if (blocks == 1) break;
    block_sums<<<blocks, block>>>(from, to, n);
    from = to;
    to += blocks;
    n = blocks;
  }
  block_sums<<<1, block>>>(from, out, n);
}
