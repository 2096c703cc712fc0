// The bins have 32 copies, and only the first one is added to the counts.
// Test: histogram is right for a few bytes
// Says: some are missing
// Task: 4

#include "histogram.h"

namespace {

constexpr int values = 256;
constexpr int lanes = 32;
constexpr int block = 256;
constexpr int largest_grid = 6 * 132;
constexpr int least_share = 16 * 1024;

__global__ void histogram_kernel(const unsigned char* in, unsigned* counts, int n) {
  __shared__ unsigned bins[values][lanes];
  const int lane = threadIdx.x % lanes;
  for (int v = threadIdx.x / lanes; v < values; v += block / lanes) bins[v][lane] = 0;
  __syncthreads();

  const int stride = gridDim.x * block;
  for (int i = blockIdx.x * block + threadIdx.x; i < n; i += stride) {
    atomicAdd(&bins[in[i]][lane], 1u);
  }
  __syncthreads();

  const unsigned count = bins[threadIdx.x][0];
  atomicAdd(&counts[threadIdx.x], count);
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  const int worth = (n + least_share - 1) / least_share;
  const int blocks = worth < largest_grid ? worth : largest_grid;
  if (n > 0) histogram_kernel<<<blocks, block>>>(in, counts, n);
}
