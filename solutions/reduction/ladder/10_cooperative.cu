// Step 10, another way to one launch: all blocks wait for each other at a barrier of the grid, and
// then the first one adds up the sums of all. A barrier of the grid needs all blocks on the GPU at
// the same time, so it takes a cooperative launch, which refuses more blocks than fit.
//
// Loads and additions are those of the reference solution. Its fence and its counter are inside of
// the barrier, where every block waits, and not only the last one works on.
// On an H200 it is as fast as the reference solution. A GPU with fewer multiprocessors needs fewer
// blocks, so the number of blocks depends on the GPU, and with it the order of the additions: equal
// inputs give equal bits on one GPU, but not on any two.

#include <cooperative_groups.h>

#include <algorithm>

#include "reduction.h"

namespace {

constexpr int block = 512;
constexpr int wide = 4;                         // elements in a float4
constexpr int each = 4;                         // loads of a thread that are in flight
constexpr int tile_size = block * wide * each;  // elements that a block takes at a time
constexpr int warp = 32;
constexpr unsigned all_lanes = 0xffffffff;

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
    for (int k = 0; k < each; ++k) loaded[k] = first[k * block];
#pragma unroll
    for (int k = 0; k < each; ++k) own += sum_of_vector(loaded[k]);
  }
  if (blockIdx.x == gridDim.x - 1) {
    for (int i = tiles * tile_size + t; i < n; i += block) own += in[i];
  }
  return own;
}

__global__ void __launch_bounds__(block)
    sum_kernel(const float* in, float* out, float* work, int n) {
  const float of_block = sum_of_block(own_share(in, n));
  if (threadIdx.x == 0) work[blockIdx.x] = of_block;
  cooperative_groups::this_grid().sync();
  if (blockIdx.x > 0) return;
  float own = 0;
  for (int i = threadIdx.x; i < gridDim.x; i += block) own += work[i];
  const float total = sum_of_block(own);
  if (threadIdx.x == 0) *out = total;
}

// As many blocks as run at the same time.
int blocks_that_fit() {
  int device = 0, multiprocessors = 0, blocks = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, sum_kernel, block, 0);
  return multiprocessors * blocks;
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  static const int most_blocks = blocks_that_fit();
  const int blocks = std::min(n / tile_size + 1, most_blocks);
  void* arguments[] = {&in, &out, &work, &n};
  cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(sum_kernel), blocks, block, arguments);
}
