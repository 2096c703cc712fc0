// One warp adds its 32 bins to the counts, and nobody adds the others.
// Test: histogram is right for a few bytes
// Says: are missing
// Task: 4

#include "histogram.h"

namespace {

constexpr int values = 256;
constexpr int block = 256;
constexpr int largest_grid = 8 * 132;
constexpr int least_share = 16 * 1024;

__global__ void histogram_kernel(const unsigned char* in, unsigned* counts, int n) {
  __shared__ unsigned bins[values];
  bins[threadIdx.x] = 0;
  __syncthreads();

  const int stride = gridDim.x * block;
  for (int i = blockIdx.x * block + threadIdx.x; i < n; i += stride) atomicAdd(&bins[in[i]], 1u);
  __syncthreads();

  if (threadIdx.x < 32) atomicAdd(&counts[threadIdx.x], bins[threadIdx.x]);
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  const int worth = (n + least_share - 1) / least_share;
  const int blocks = worth < largest_grid ? worth : largest_grid;
  if (n > 0) histogram_kernel<<<blocks, block>>>(in, counts, n);
}
