// Step 4: step 3 with a spare word after each 32. Slots that were two, four, ... words apart and
// shared a bank are now in different banks, as the column of the tile in the lab `transpose`.
//
// 11 requests per 32 elements, as in step 3, and one conflict instead of 25. Wide strides still
// meet in a bank now and then.
//
// Misses: memory

#include "scan.h"

namespace {

constexpr int block = 256;  // threads of a block, and elements of its tile

// The place of an element in the tile: one word is left out after each 32.
__device__ int slot(int element) { return element + element / 32; }

// Scans a tile of `in` per block. sums[b] becomes the sum of tile b.
__global__ void scan_kernel(const unsigned* in, unsigned* out, unsigned* sums, int n) {
  __shared__ unsigned tile[block + block / 32];
  const int t = threadIdx.x;
  const int i = blockIdx.x * block + t;
  tile[slot(t)] = i < n ? in[i] : 0;
  __syncthreads();
  for (int distance = 1; distance < block; distance *= 2) {
    const int last = 2 * distance * (t + 1) - 1;
    if (last < block) tile[slot(last)] += tile[slot(last - distance)];
    __syncthreads();
  }
  for (int distance = block / 4; distance > 0; distance /= 2) {
    const int middle = 2 * distance * (t + 1) - 1 + distance;
    if (middle < block) tile[slot(middle)] += tile[slot(middle - distance)];
    __syncthreads();
  }
  if (i < n) out[i] = tile[slot(t)];
  if (t == block - 1) sums[blockIdx.x] = tile[slot(t)];
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
