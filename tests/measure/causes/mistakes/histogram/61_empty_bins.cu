// CAUSE: Each thread empties only one of the 32 copies of its bin; the other copies keep what shared memory held before.
// LINES: 21
// REPAIR: for (int l = 0; l < copies; ++l) bins[t][(t + l) % copies] = 0;
// SYMPTOM: Reads of shared memory that nobody wrote; on a GPU the counts are too high by whatever was there.

#include "histogram.h"

namespace {

constexpr int values = 256;
constexpr int copies = 32;  // one for each lane of a warp
constexpr int block = 256;
constexpr int largest_grid = 8 * 132;
constexpr int least_share = 16 * 1024;

__global__ void histogram_kernel(const unsigned char* in, unsigned* counts, int n) {
  __shared__ unsigned bins[values][copies];
  const int t = threadIdx.x;
  const int lane = t % copies;

  bins[t][lane] = 0;
  __syncthreads();

  const int step = gridDim.x * block;
  for (int i = blockIdx.x * block + t; i < n; i += step) atomicAdd(&bins[in[i]][lane], 1u);
  __syncthreads();

  unsigned total = 0;
  for (int l = 0; l < copies; ++l) total += bins[t][(t + l) % copies];
  atomicAdd(&counts[t], total);
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  if (n == 0) return;
  int grid = (n + least_share - 1) / least_share;
  if (grid > largest_grid) grid = largest_grid;
  histogram_kernel<<<grid, block>>>(in, counts, n);
}
