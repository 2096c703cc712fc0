// Step 1: one thread per tile. It adds up 256 elements, one after the other, and the other 255
// threads wait at the barrier. This is the baseline.
//
// As written, the loop makes 765 requests to shared memory, of one word each. With those that fill
// and read the tile it is 782 per tile, or 98 per 32 elements. Each addition waits for the one
// before. Scanning the sums of the tiles and adding them reads and writes the whole row once more:
// 17 bytes per element, where 8 would do.
//
// Misses: memory

#include "scan.h"

namespace {

constexpr int block = 256;  // threads of a block, and elements of its tile

// Scans a tile of `in` per block. sums[b] becomes the sum of tile b.
__global__ void scan_kernel(const unsigned* in, unsigned* out, unsigned* sums, int n) {
  __shared__ unsigned tile[block];
  const int t = threadIdx.x;
  const int i = blockIdx.x * block + t;
  tile[t] = i < n ? in[i] : 0;
  __syncthreads();
  if (t == 0) {
    for (int k = 1; k < block; ++k) tile[k] += tile[k - 1];
    sums[blockIdx.x] = tile[block - 1];
  }
  __syncthreads();
  if (i < n) out[i] = tile[t];
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
