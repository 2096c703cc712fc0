// CAUSE: The bins are counted up with ++, which several threads can do at the same time: both load the same count, and one of the additions is lost.
// LINES: 30
// REPAIR: atomicAdd(&bins[value][lane], 1u);
// SYMPTOM: A data race on the bins; counts are too low, and differ from run to run.
#include "histogram.h"

namespace {

const int VALUES = 256;
const int THREADS = 256;
const int COPIES = 32;
const int MAX_BLOCKS = 8 * 132;
const int BYTES_PER_BLOCK = 16 * 1024;

__global__ void histogram_kernel(const unsigned char* in, unsigned* counts, int n) {
  __shared__ unsigned bins[VALUES][COPIES];

  int lane = threadIdx.x % 32;

  // clear: one value per thread
  for (int c = 0; c < COPIES; c++) {
    bins[threadIdx.x][(threadIdx.x + c) % COPIES] = 0;
  }
  __syncthreads();

  // count
  int stride = blockDim.x * gridDim.x;
  for (int i = blockDim.x * blockIdx.x + threadIdx.x; i < n; i += stride) {
    unsigned char value = in[i];
    bins[value][lane]++;
  }
  __syncthreads();

  // merge: one value per thread
  unsigned sum = 0;
  for (int c = 0; c < COPIES; c++) {
    sum += bins[threadIdx.x][(threadIdx.x + c) % COPIES];
  }
  atomicAdd(&counts[threadIdx.x], sum);
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  if (n == 0) return;
  int blocks = (n + BYTES_PER_BLOCK - 1) / BYTES_PER_BLOCK;
  if (blocks > MAX_BLOCKS) {
    blocks = MAX_BLOCKS;
  }
  histogram_kernel<<<blocks, THREADS>>>(in, counts, n);
}
