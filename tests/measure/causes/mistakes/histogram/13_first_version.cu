// CAUSE: Two mistakes. (1) The bins are counted up by a plain ++, though all threads of the block use the same bins. (2) The number of blocks is rounded down, so that fewer than 16 KiB get no block at all.
// LINES: 24, 38
// REPAIR: `bins[in[i]]++;` -> `atomicAdd(&bins[in[i]], 1u);` (line 24); and `n / least_share;` -> `(n + least_share - 1) / least_share;` (line 38)
// GOOD HINT: (1) Two threads of the block find the same byte at the same time: what can happen to their ++? (2) How many blocks do you launch for 1,000 bytes?
// SYMPTOM: (1) Race on the bins: counts too small, most where bytes are equal. (2) For 0 < n < 16,384 a launch of 0 blocks fails (invalid configuration), and nothing is counted.
#include "histogram.h"

namespace {

constexpr int values = 256;
constexpr int block = 256;
constexpr int largest_grid = 8 * 132;
constexpr int least_share = 16 * 1024;

__global__ void histogram_kernel(const unsigned char* in, unsigned* counts, int n) {
  __shared__ unsigned bins[values];

  // TODO 2
  bins[threadIdx.x] = 0;
  __syncthreads();

  // TODO 3
  for (int i = blockIdx.x * block + threadIdx.x; i < n; i += gridDim.x * block) {
    bins[in[i]]++;
  }

  // TODO 4
  __syncthreads();
  atomicAdd(&counts[threadIdx.x], bins[threadIdx.x]);
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  if (n == 0) {
    return;
  }
  int blocks = n / least_share;
  if (blocks > largest_grid) {
    blocks = largest_grid;
  }
  histogram_kernel<<<blocks, block>>>(in, counts, n);
}
