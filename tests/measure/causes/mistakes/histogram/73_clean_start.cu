// CAUSE: The counts are set to 0 before the bytes are counted, but the function has to add to what they hold.
// LINES: 44
// REPAIR: delete the launch of clear_kernel
// SYMPTOM: The counts are right only if they were 0 before; counting a file piece by piece leaves the counts of the last piece.
#include "histogram.h"

namespace {

constexpr int values = 256;
constexpr int block = 256;
constexpr int largest_grid = 8 * 132;
constexpr int least_share = 16 * 1024;

__global__ void clear_kernel(unsigned* counts) { counts[threadIdx.x] = 0; }

__global__ void histogram_kernel(const unsigned char* in, unsigned* counts, int n) {
  __shared__ unsigned bins[values][32];
  const int tx = threadIdx.x;

  unsigned* flat = &bins[0][0];
  for (int k = tx; k < values * 32; k += block) flat[k] = 0;
  __syncthreads();

  const int step = gridDim.x * block;
  int i = blockIdx.x * block + tx;
  while (i < n) {
    atomicAdd(&bins[in[i]][tx % 32], 1u);
    i += step;
  }
  __syncthreads();

  // Thread tx has the value tx.
  unsigned sum = 0;
  for (int k = 0; k < 32; ++k) sum += bins[tx][(tx + k) % 32];
  atomicAdd(&counts[tx], sum);
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  if (n > 0) {
    const int shares = (n + least_share - 1) / least_share;
    const int blocks = shares < largest_grid ? shares : largest_grid;
    clear_kernel<<<1, values>>>(counts);
    histogram_kernel<<<blocks, block>>>(in, counts, n);
  }
}
