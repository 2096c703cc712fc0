// CAUSE: The comparison is the wrong way round: the larger of the two numbers of blocks is taken, not the smaller one. There are never fewer than largest_grid blocks, and with many bytes there are far more.
// LINES: 38
// REPAIR: `worth > largest_grid` -> `worth < largest_grid` (line 38)
// GOOD HINT: How many blocks do you launch for 100 bytes, and how many for 2^28? Each of them adds 256 bins to the counts, however little it has counted.
// SYMPTOM: Results right; too many atomic operations on global memory (1,056 blocks for a few bytes, 16,384 for 2^28), slower.
// Lab `histogram`: counts[v] grows by the number of bytes that are v. histogram.h documents the
// function, README.md explains the steps.

#include "histogram.h"

namespace {

constexpr int values = 256;  // that a byte can have
constexpr int block = 256;   // threads
constexpr int largest_grid = 8 * 132;
constexpr int least_share = 16 * 1024;  // bytes that are worth a block, with its 256 bins

__global__ void histogram_kernel(const unsigned char* in, unsigned* counts, int n) {
  __shared__ unsigned bins[values];
  bins[threadIdx.x] = 0u;
  __syncthreads();

  const int threads_in_all = gridDim.x * blockDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  while (i < n) {
    atomicAdd(&bins[in[i]], 1u);
    i += threads_in_all;
  }

  __syncthreads();
  atomicAdd(&counts[threadIdx.x], bins[threadIdx.x]);
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  const int worth = (n + least_share - 1) / least_share;
  const int blocks = worth > largest_grid ? worth : largest_grid;
  if (n > 0) histogram_kernel<<<blocks, block>>>(in, counts, n);
}
