// CAUSE: Only the first 256 of the 8,192 bins are set to 0: when the bins got 32 copies, the bound of the loop that empties them stayed that of one set.
// LINES: 21
// REPAIR: `b < values;` -> `b < values * lanes;` (line 21)
// GOOD HINT: How many numbers does your array of bins hold now, and how many of them does the loop at the top reach?
// SYMPTOM: Uninitialized reads of shared memory (bins of values >= 8): garbage in most counts, or right by luck where shared memory happens to be 0.
// bins for each lane, so that there are no bank conflicts

#include "histogram.h"

namespace {

constexpr int values = 256;
constexpr int lanes = 32;
constexpr int block = 256;
constexpr int largest_grid = 8 * 132;
constexpr int least_share = 16 * 1024;

__global__ void histogram_kernel(const unsigned char* in, unsigned* counts, int n) {
  __shared__ unsigned bins[values * lanes];

  for (int b = threadIdx.x; b < values; b += blockDim.x) bins[b] = 0;
  __syncthreads();

  const int lane = threadIdx.x % lanes;
  const int step = blockDim.x * gridDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
    const int value = in[i];
    atomicAdd(&bins[value * lanes + lane], 1u);
  }
  __syncthreads();

  for (int v = threadIdx.x; v < values; v += blockDim.x) {
    unsigned sum = 0;
    for (int l = 0; l < lanes; ++l) sum += bins[v * lanes + (v + l) % lanes];
    atomicAdd(&counts[v], sum);
  }
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  if (n == 0) return;
  int blocks = (n + least_share - 1) / least_share;
  if (blocks > largest_grid) blocks = largest_grid;
  histogram_kernel<<<blocks, block>>>(in, counts, n);
}
