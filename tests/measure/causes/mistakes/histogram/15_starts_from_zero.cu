// CAUSE: the counts are set to 0 first, but the function has to add to what they hold
// LINES: 40
// REPAIR: leave out cudaMemset
// GOOD HINT: What does histogram.h say that counts holds before the call?
// SYMPTOM: counts lose what they held before

#include "histogram.h"

namespace {

constexpr int BINS = 256;
constexpr int BLOCK = 256;
constexpr int SHARE = 16 * 1024;
constexpr int MAX_BLOCKS = 8 * 132;

__global__ void histogram_kernel(const unsigned char* in, unsigned* counts, int n) {
  __shared__ unsigned bins[BINS][32];
  const int t = threadIdx.x;
  const int lane = t % 32;
  for (int k = t; k < BINS * 32; k += BLOCK) {
    bins[k / 32][k % 32] = 0;
  }
  __syncthreads();
  for (int i = blockIdx.x * BLOCK + t; i < n; i += gridDim.x * BLOCK) {
    const unsigned char byte = in[i];
    atomicAdd(&bins[byte][lane], 1u);
  }
  __syncthreads();
  unsigned total = 0;
  for (int c = 0; c < 32; ++c) {
    total += bins[t][(c + t) % 32];
  }
  if (total > 0) atomicAdd(&counts[t], total);
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  if (n == 0) return;
  cudaMemset(counts, 0, BINS * sizeof(unsigned));
  int blocks = (n + SHARE - 1) / SHARE;
  if (blocks > MAX_BLOCKS) blocks = MAX_BLOCKS;
  histogram_kernel<<<blocks, BLOCK>>>(in, counts, n);
}
