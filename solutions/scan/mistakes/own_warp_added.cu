// A warp adds its own sum as well.
// Test: scan is right for one tile and less
// Says: contains the sum of its own tile of 32 elements
// Task: 4 or 6

#include "scan.h"

namespace {

constexpr int block = 256;  // threads of a block, and elements of its tile
constexpr int warp = 32;
constexpr int warps = block / warp;
constexpr unsigned all_lanes = 0xffffffff;

// A lane gets the sum of the values of all lanes up to it.
__device__ unsigned scan_of_warp(unsigned own) {
  const int lane = threadIdx.x % warp;
#pragma unroll
  for (int distance = 1; distance < warp; distance *= 2) {
    const unsigned left = __shfl_up_sync(all_lanes, own, distance);
    if (lane >= distance) own += left;
  }
  return own;
}

// A thread gets the sum of the values of all threads up to it.
__device__ unsigned scan_of_block(unsigned own) {
  __shared__ unsigned sums[warps];
  const int t = threadIdx.x;
  own = scan_of_warp(own);
  if (t % warp == warp - 1) sums[t / warp] = own;
  __syncthreads();
  unsigned before = 0;
  for (int other = 0; other <= t / warp; ++other) before += sums[other];
  return before + own;
}

// Scans a tile of `in` per block. sums[b] becomes the sum of tile b.
__global__ void scan_kernel(const unsigned* in, unsigned* out, unsigned* sums, int n) {
  const int t = threadIdx.x;
  const int i = blockIdx.x * block + t;
  const unsigned own = scan_of_block(i < n ? in[i] : 0);
  if (i < n) out[i] = own;
  if (t == block - 1) sums[blockIdx.x] = own;
}

// Adds to each tile but the first what comes before it. Block b has tile b + 1.
__global__ void add_kernel(unsigned* out, const unsigned* sums, int n) {
  const int i = (blockIdx.x + 1) * block + threadIdx.x;
  if (i < n) out[i] += sums[blockIdx.x];
}

}  // namespace

void scan(const unsigned* in, unsigned* out, unsigned* work, int n) {
  if (n == 0) return;
  const int blocks = (n - 1) / block + 1;
  unsigned* const sums = work;
  unsigned* const sums_before = work + blocks;
  scan_kernel<<<blocks, block>>>(in, out, sums, n);
  if (blocks == 1) return;
  scan(sums, sums_before, sums_before + blocks, blocks);
  add_kernel<<<blocks - 1, block>>>(out, sums_before, n);
}
