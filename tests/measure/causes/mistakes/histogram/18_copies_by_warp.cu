// CAUSE: the copy is chosen by the number of the warp, so all lanes of a warp use the same copy, whose bins are all in one bank
// LINES: 19
// REPAIR: copy = tx % 32
// GOOD HINT: In which bank is copies[v][2], and how many lanes of warp 2 want it?
// SYMPTOM: counts are right, but many bank conflicts

#include "histogram.h"

namespace {

constexpr int BINS = 256;
constexpr int BLOCK = 256;
constexpr int SHARE = 16 * 1024;
constexpr int MAX_BLOCKS = 8 * 132;

__global__ void histogram_kernel(const unsigned char* in, unsigned* counts, int n) {
  __shared__ unsigned copies[BINS][32];
  const int tx = threadIdx.x;
  const int copy = tx / 32;
  for (int k = tx; k < BINS * 32; k += BLOCK) {
    copies[k / 32][k % 32] = 0;
  }
  __syncthreads();
  for (int i = blockIdx.x * BLOCK + tx; i < n; i += gridDim.x * BLOCK) {
    const unsigned char byte = in[i];
    atomicAdd(&copies[byte][copy], 1u);
  }
  __syncthreads();
  unsigned total = 0;
  for (int c = 0; c < 32; ++c) {
    total += copies[tx][(c + tx) % 32];
  }
  if (total > 0) atomicAdd(&counts[tx], total);
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  if (n == 0) return;
  int blocks = (n + SHARE - 1) / SHARE;
  if (blocks > MAX_BLOCKS) blocks = MAX_BLOCKS;
  histogram_kernel<<<blocks, BLOCK>>>(in, counts, n);
}
