// CAUSE: Threads that have no byte to count return at the top. But they are also needed to empty and to merge their bin, and to meet at the barriers.
// LINES: 20
// REPAIR: delete `if (first >= n) return;` (line 20)
// GOOD HINT: A thread of this kernel has three jobs. Which of them has to do with n, and which with the 256 bins? Follow thread 200 when there are 100 bytes.
// SYMPTOM: Wrong only for n < 256: barriers that not all threads reach, bins from n on never emptied (uninitialized) and never added, so counts of values >= n are missing.
// Lab `histogram`: counts[v] grows by the number of bytes that are v.

#include "histogram.h"

namespace {

constexpr int values = 256;  // that a byte can have
constexpr int block = 256;   // threads
constexpr int largest_grid = 8 * 132;
constexpr int least_share = 16 * 1024;  // bytes that are worth a block, with its 256 bins

__global__ void histogram_kernel(const unsigned char* in, unsigned* counts, int n) {
  __shared__ unsigned bins[values];
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  if (first >= n) return;

  bins[threadIdx.x] = 0;
  __syncthreads();

  for (int i = first; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[in[i]], 1u);

  __syncthreads();
  atomicAdd(&counts[threadIdx.x], bins[threadIdx.x]);
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  if (n == 0) return;
  const int worth = (n + least_share - 1) / least_share;
  const int blocks = worth < largest_grid ? worth : largest_grid;
  histogram_kernel<<<blocks, block>>>(in, counts, n);
}
