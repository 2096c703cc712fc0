// A tile gets the sum of all tiles up to itself, and not of those before it.
// Test: scan is right for many tiles
// Says: contains the sum of its own tile of 256 elements
// Task: 4

#include "scan.h"

namespace {

constexpr int block = 256;  // threads of a block, and elements of its tile

// Scans a tile of `in` per block. sums[b] becomes the sum of tile b.
__global__ void scan_kernel(const unsigned* in, unsigned* out, unsigned* sums, int n) {
  __shared__ unsigned tile[2][block];
  const int t = threadIdx.x;
  const int i = blockIdx.x * block + t;
  int from = 0;
  tile[from][t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int distance = 1; distance < block; distance *= 2) {
    const unsigned left = t >= distance ? tile[from][t - distance] : 0;
    tile[1 - from][t] = tile[from][t] + left;
    from = 1 - from;
    __syncthreads();
  }
  if (i < n) out[i] = tile[from][t];
  if (t == block - 1) sums[blockIdx.x] = tile[from][t];
}

// Adds to each tile but the first what comes before it. Block b has tile b + 1.
__global__ void add_kernel(unsigned* out, const unsigned* sums, int n) {
  const int i = blockIdx.x * block + threadIdx.x;
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
  add_kernel<<<blocks, block>>>(out, sums_before, n);
}
