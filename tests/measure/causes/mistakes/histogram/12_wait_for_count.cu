// CAUSE: The barrier that should come between counting and merging is inside the counting loop. Not all threads make the same number of steps, so some leave the loop and merge while others still wait or count.
// LINES: 24, after 25
// REPAIR: delete `__syncthreads();  // all have counted` (line 24); and insert `__syncthreads();` after line 25
// GOOD HINT: Must the threads meet after each byte, or once after all of them? With 300 bytes and 256 threads, how often does thread 0 come to your barrier, and how often thread 100?
// SYMPTOM: A barrier that not all threads reach, wherever n is no multiple of the grid's threads: reported by the emulator; on a GPU a hang or wrong counts (merge before the end of counting).
#include "histogram.h"

namespace {

constexpr int values = 256;
constexpr int block = 256;
constexpr int largest_grid = 8 * 132;
constexpr int least_share = 16 * 1024;

__global__ void histogram_kernel(const unsigned char* in, unsigned* counts, int n) {
  __shared__ unsigned bins[values];

  bins[threadIdx.x] = 0;
  __syncthreads();  // all bins are empty

  const int stride = gridDim.x * block;
  for (int i = blockIdx.x * block + threadIdx.x; i < n; i += stride) {
    atomicAdd(&bins[in[i]], 1u);
    __syncthreads();  // all have counted
  }

  atomicAdd(&counts[threadIdx.x], bins[threadIdx.x]);
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  const int worth = (n + least_share - 1) / least_share;
  const int blocks = worth < largest_grid ? worth : largest_grid;
  if (n > 0) histogram_kernel<<<blocks, block>>>(in, counts, n);
}
