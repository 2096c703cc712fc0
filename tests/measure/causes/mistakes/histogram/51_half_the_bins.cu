// CAUSE: A block has 128 threads and 256 bins, but each thread sets only one bin to 0, so bins 128 to 255 are never set.
// LINES: 16
// REPAIR: line 16: `bins[threadIdx.x] = 0;` -> `for (int b = threadIdx.x; b < NUM_BINS; b += blockDim.x) bins[b] = 0;`
// SYMPTOM: The counts of values of 128 and more have whatever was in shared memory added to them, from each block; those below 128 are right.
#include "histogram.h"

#define NUM_BINS 256
#define THREADS 128
#define BYTES_PER_BLOCK (16 * 1024)
#define MAX_BLOCKS 1056

__global__ void histo(const unsigned char* data, unsigned* counts, int n) {
  __shared__ unsigned int bins[NUM_BINS];

  // clear
  bins[threadIdx.x] = 0;
  __syncthreads();

  // count
  int stride = blockDim.x * gridDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    atomicAdd(&bins[data[i]], 1u);
  }
  __syncthreads();

  // merge
  for (int b = threadIdx.x; b < NUM_BINS; b += blockDim.x) {
    if (bins[b] > 0) {
      atomicAdd(&counts[b], bins[b]);
    }
  }
}

void histogram(const unsigned char* in, unsigned* counts, int n) {
  if (n == 0) return;
  int blocks = (n + BYTES_PER_BLOCK - 1) / BYTES_PER_BLOCK;
  if (blocks > MAX_BLOCKS) blocks = MAX_BLOCKS;
  histo<<<blocks, THREADS>>>(in, counts, n);
}
