// CAUSE: two mistakes: only the first of the 32 copies of a bin is emptied, and a block adds its sums to the counts without an atomic operation
// LINES: 20, 31
// REPAIR: empty all 256 * 32 bins; atomicAdd(&counts[t], s)
// GOOD HINT: Who empties copies[5][1]? What if two blocks add to counts[5] at the same time?
// SYMPTOM: bins that nobody wrote are read; a data race on counts

#include "histogram.h"

namespace {

constexpr int BINS = 256;
constexpr int BLOCK = 256;
constexpr int SHARE = 16 * 1024;
constexpr int MAX_BLOCKS = 8 * 132;

__global__ void histogram_kernel(const unsigned char* in, unsigned* counts, int n) {
  __shared__ unsigned copies[BINS][32];
  const int t = threadIdx.x;
  const int lane = t % 32;
  copies[t][0] = 0;
  __syncthreads();
  for (int i = blockIdx.x * BLOCK + t; i < n; i += gridDim.x * BLOCK) {
    const unsigned char byte = in[i];
    atomicAdd(&copies[byte][lane], 1u);
  }
  __syncthreads();
  unsigned s = 0;
  for (int c = 0; c < 32; ++c) {
    s += copies[t][(c + t) % 32];
  }
  counts[t] += s;
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  if (n == 0) return;
  int blocks = (n + SHARE - 1) / SHARE;
  if (blocks > MAX_BLOCKS) blocks = MAX_BLOCKS;
  histogram_kernel<<<blocks, BLOCK>>>(in, counts, n);
}
