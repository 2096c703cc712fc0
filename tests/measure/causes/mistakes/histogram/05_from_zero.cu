// CAUSE: The host function sets the counts to 0 before the launch. The contract says that it adds to the counts, so what was counted before is lost.
// LINES: 36
// REPAIR: delete `cudaMemset(counts, 0, values * sizeof(unsigned));  // the blocks add to it` (line 36)
// GOOD HINT: Read in histogram.h what should become of the numbers that are in counts when the function is called. How would a caller count a file in two pieces?
// SYMPTOM: Wrong wherever counts were not 0 before the call: only this call's bytes are in them. Right if they were 0. With n = 0 all is well.
#include "histogram.h"

namespace {

constexpr int values = 256;
constexpr int block = 512;
constexpr int largest_grid = 4 * 132;
constexpr int least_share = 16 * 1024;

__global__ void histogram_kernel(const unsigned char* in, unsigned* counts, int n) {
  __shared__ unsigned bins[values];

  for (int v = threadIdx.x; v < values; v += block) bins[v] = 0;
  __syncthreads();

  const int threads = gridDim.x * block;
  for (int i = blockIdx.x * block + threadIdx.x; i < n; i += threads) {
    atomicAdd(&bins[in[i]], 1u);
  }
  __syncthreads();

  for (int v = threadIdx.x; v < values; v += block) atomicAdd(&counts[v], bins[v]);
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  if (n == 0) return;
  int blocks = (n + least_share - 1) / least_share;
  if (blocks > largest_grid) blocks = largest_grid;
  cudaMemset(counts, 0, values * sizeof(unsigned));  // the blocks add to it
  histogram_kernel<<<blocks, block>>>(in, counts, n);
}
