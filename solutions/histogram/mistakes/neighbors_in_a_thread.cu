// Each thread takes its own stretch of bytes, as a CPU's thread would: the lanes of a warp are far
// apart, and touch a sector each.
// Test: histogram's blocks count for themselves
// Says: sector bytes wasted per useful byte
// Task: 3

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

  const int stretch = (n + gridDim.x * block - 1) / (gridDim.x * block);
  const int first = (blockIdx.x * block + threadIdx.x) * stretch;
  for (int i = first; i < first + stretch && i < n; ++i) atomicAdd(&bins[in[i]][lane], 1u);
  __syncthreads();

  unsigned count = 0;
  for (int k = 0; k < lanes; ++k) count += bins[threadIdx.x][(lane + k) % lanes];
  atomicAdd(&counts[threadIdx.x], count);
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  const int worth = (n + least_share - 1) / least_share;
  const int blocks = worth < largest_grid ? worth : largest_grid;
  if (n > 0) histogram_kernel<<<blocks, block>>>(in, counts, n);
}
