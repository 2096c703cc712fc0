// A block takes what the block before has stored in the same launch, without waiting for it.
// Test: scan has no data race and stays within its arrays
// Says: nothing orders the blocks of a launch
// Task: 5 or 7

#include "scan.h"

namespace {

constexpr int block = 256;  // threads of a block, and elements of its tile

// Scans a tile of `in` per block. totals[b] becomes the sum of all tiles up to b.
__global__ void scan_kernel(const unsigned* in, unsigned* out, unsigned* totals, int n) {
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
  const unsigned before = blockIdx.x > 0 ? totals[blockIdx.x - 1] : 0;
  if (i < n) out[i] = before + tile[from][t];
  if (t == block - 1) totals[blockIdx.x] = before + tile[from][t];
}

}  // namespace

void scan(const unsigned* in, unsigned* out, unsigned* work, int n) {
  if (n == 0) return;
  const int blocks = (n - 1) / block + 1;
  scan_kernel<<<blocks, block>>>(in, out, work, n);
}
