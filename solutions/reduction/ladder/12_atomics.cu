// Step 12: each block adds its sum to the result with an atomic, in the order in which the blocks
// happen to be done. It is the shortest code: no second pass, no fence, no counter. But a sum of
// floats depends on the order of its additions, so equal inputs give other bits from call to call,
// and the contract is broken. A test that compares bits fails now and then, and a bug that depends
// on them cannot be repeated.
//
// 528 atomics at most. Each of them goes to the same address, where L2 makes one after the other.
// This is only as good as it is because there are so few: with one per tile of 256 elements, a
// million blocks would queue for longer than the input takes to be read.
// On an H200 this is as fast as the reference solution with 2^28 elements, and with 2^24 4% faster:
// no block has to add up all sums in the end. With 1,024 it takes half as long again, because
// setting the sum to zero is an operation of its own.
//
// Misses: correctness

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

__global__ void __launch_bounds__(block) sum_kernel(const float* in, float* out, int n) {
  const float of_block = sum_of_block(own_share(in, n));
  if (threadIdx.x == 0) atomicAdd(out, of_block);
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  const int blocks = std::min(n / tile_size + 1, most_blocks);
  cudaMemsetAsync(out, 0, sizeof(float));
  sum_kernel<<<blocks, block>>>(in, out, n);
}
