// CAUSE: The bins are added to the counts with a plain +=. Within a block each thread has its own count, but all blocks add to the same 256 counts at the same time, and additions get lost.
// LINES: 29
// REPAIR: `counts[threadIdx.x] += bins[threadIdx.x];` -> `atomicAdd(&counts[threadIdx.x], bins[threadIdx.x]);` (line 29)
// GOOD HINT: Inside a block no two threads share a count. But who else adds to counts[7] at this moment, and what did the handout say that ++ is made of?
// SYMPTOM: Right with one block (n up to 16 KiB); with more blocks the counts are too small, differently in each run (race on global memory between blocks).
// Lab histogram
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

  const int step = gridDim.x * block;
  for (int i = blockIdx.x * block + threadIdx.x; i < n; i += step) {
    atomicAdd(&bins[in[i]], 1u);
  }

  __syncthreads();
  // One thread per bin, so nobody is in the way of anybody.
  counts[threadIdx.x] += bins[threadIdx.x];
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  if (n == 0) return;
  int blocks = (n + least_share - 1) / least_share;
  if (blocks > largest_grid) blocks = largest_grid;
  histogram_kernel<<<blocks, block>>>(in, counts, n);
}
