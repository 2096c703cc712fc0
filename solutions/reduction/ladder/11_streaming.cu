// Step 11: the reference solution, with the hint that no element is used twice, so that what comes
// in is the first to leave the cache again.
//
// All counts are those of the reference solution.
// On an H200 this is 0.3% faster, which is no more than the uncertainty of the measurement. Nothing
// else is in the cache that is worth keeping.

#include <algorithm>

#include "reduction.h"

namespace {

constexpr int block = 512;
constexpr int wide = 4;                         // elements in a float4
constexpr int each = 4;                         // loads of a thread that are in flight
constexpr int tile_size = block * wide * each;  // elements that a block takes at a time
constexpr int most_blocks = 528;                // 4 for each of the 132 multiprocessors of an H200
constexpr int warp = 32;
constexpr unsigned all_lanes = 0xffffffff;

// The blocks that have stored their sum. It is 0 before and after each launch.
__device__ unsigned arrived = 0;

__device__ float sum_of_vector(float4 v) { return (v.x + v.y) + (v.z + v.w); }

// The sum of a warp is the first lane's.
__device__ float sum_of_warp(float own) {
#pragma unroll
  for (int distance = warp / 2; distance > 0; distance /= 2) {
    own += __shfl_down_sync(all_lanes, own, distance);
  }
  return own;
}

// The sum of a block is the first thread's.
__device__ float sum_of_block(float own) {
  __shared__ float sums[block / warp];
  const int t = threadIdx.x;
  const float of_warp = sum_of_warp(own);
  __syncthreads();  // `sums` may hold those of the sum before
  if (t % warp == 0) sums[t / warp] = of_warp;
  __syncthreads();
  return t < warp ? sum_of_warp(t < block / warp ? sums[t] : 0) : 0;
}

// A thread's share of the input. What is less than a tile goes to the last block.
__device__ float own_share(const float* in, int n) {
  const int tiles = n / tile_size;
  const int t = threadIdx.x;
  float own = 0;
  for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const float4* first = reinterpret_cast<const float4*>(in) + tile * (block * each) + t;
    float4 loaded[each];
#pragma unroll
    for (int k = 0; k < each; ++k) loaded[k] = __ldcs(&first[k * block]);
#pragma unroll
    for (int k = 0; k < each; ++k) own += sum_of_vector(loaded[k]);
  }
  if (blockIdx.x == gridDim.x - 1) {
    for (int i = tiles * tile_size + t; i < n; i += block) own += in[i];
  }
  return own;
}

// Whether this block is the last one to come here. All sums stored before are visible to it then.
__device__ bool is_last_block() {
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    __threadfence();  // the sum of this block comes before its arrival
    is_last = atomicInc(&arrived, gridDim.x - 1) == gridDim.x - 1;  // the last one sets it to 0
    __threadfence();  // the arrivals of all blocks come before what this one reads
  }
  __syncthreads();
  return is_last;
}

__global__ void __launch_bounds__(block)
    sum_kernel(const float* in, float* out, float* work, int n) {
  const float of_block = sum_of_block(own_share(in, n));
  if (threadIdx.x == 0) work[blockIdx.x] = of_block;
  if (!is_last_block()) return;
  float own = 0;
  for (int i = threadIdx.x; i < gridDim.x; i += block) own += work[i];
  const float total = sum_of_block(own);
  if (threadIdx.x == 0) *out = total;
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  const int blocks = std::min(n / tile_size + 1, most_blocks);
  sum_kernel<<<blocks, block>>>(in, out, work, n);
}
