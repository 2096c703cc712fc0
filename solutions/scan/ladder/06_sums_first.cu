// Step 6: sums first. The first launch only adds up each tile, and stores nothing but the sum. The
// scan of the sums follows, and the last launch scans the tiles, beginning with what comes before
// them. So the elements are read twice but written once.
//
// 12 bytes per element instead of 16. The same additions are made twice.
//
// Misses: memory

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
  for (int other = 0; other < t / warp; ++other) before += sums[other];
  return before + own;
}

// sums[b] becomes the sum of tile b.
__global__ void sum_kernel(const unsigned* in, unsigned* sums, int n) {
  const int t = threadIdx.x;
  const int i = blockIdx.x * block + t;
  const unsigned own = scan_of_block(i < n ? in[i] : 0);
  if (t == block - 1) sums[blockIdx.x] = own;
}

// Scans a tile of `in` per block. `sums` has the scan of the tiles' sums, if there are several.
__global__ void scan_kernel(const unsigned* in, unsigned* out, const unsigned* sums, int n) {
  const int i = blockIdx.x * block + threadIdx.x;
  const unsigned before = blockIdx.x > 0 ? sums[blockIdx.x - 1] : 0;
  const unsigned own = scan_of_block(i < n ? in[i] : 0);
  if (i < n) out[i] = before + own;
}

}  // namespace

void scan(const unsigned* in, unsigned* out, unsigned* work, int n) {
  if (n == 0) return;
  const int blocks = (n - 1) / block + 1;
  unsigned* const sums = work;
  unsigned* const sums_before = work + blocks;
  if (blocks > 1) {
    sum_kernel<<<blocks, block>>>(in, sums, n);
    scan(sums, sums_before, sums_before + blocks, blocks);
  }
  scan_kernel<<<blocks, block>>>(in, out, sums_before, n);
}
