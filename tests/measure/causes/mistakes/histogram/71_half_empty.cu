// CAUSE: Each of the 128 threads sets one element of total to 0, but there are 256: total[128] to total[255] begin with whatever was there.
// LINES: 21
// REPAIR: for (int v = tx; v < values; v += block) total[v] = 0;
// SYMPTOM: Reads of uninitialized shared memory; the counts of the values from 128 up may be garbage.
#include "histogram.h"

namespace {

constexpr int values = 256;
constexpr int block = 128;
constexpr int largest_grid = 8 * 132;
constexpr int least_share = 16 * 1024;

__global__ void histogram_kernel(const unsigned char* in, unsigned* counts, int n) {
  __shared__ unsigned bins[values][32];
  __shared__ unsigned total[values];
  const int tx = threadIdx.x;
  const int lane = tx % 32;

  for (int k = tx; k < values * 32; k += block) bins[k / 32][k % 32] = 0;
  total[tx] = 0;
  __syncthreads();

  for (int i = blockIdx.x * block + tx; i < n; i += gridDim.x * block) {
    atomicAdd(&bins[in[i]][lane], 1u);
  }
  __syncthreads();

  for (int v = tx; v < values; v += block) {
    for (int copy = 0; copy < 32; ++copy) total[v] += bins[v][(v + copy) % 32];
    if (total[v] > 0) atomicAdd(&counts[v], total[v]);
  }
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  if (n == 0) return;
  int blocks = (n + least_share - 1) / least_share;
  if (blocks > largest_grid) blocks = largest_grid;
  histogram_kernel<<<blocks, block>>>(in, counts, n);
}
