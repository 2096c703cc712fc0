// CAUSE: (1) No barrier between emptying the bins and counting. (2) The bins are added to the counts without an atomic operation, though other blocks do that at the same time.
// LINES: after 19 30
// REPAIR: (1) insert __syncthreads(); (2) atomicAdd(&counts[t], total);
// SYMPTOM: Data races on the bins (bytes counted before another thread sets the bin to 0 are lost) and, with two blocks or more, on counts (the sums of other blocks are lost).

#include "histogram.h"

namespace {

constexpr int lanes = 32;
constexpr int words = 256 * lanes;
constexpr int threads = 512;

__global__ void histogram_kernel(const unsigned char* in, unsigned* counts, int n) {
  __shared__ unsigned bins[words];  // bin v of lane l is word v * lanes + l
  const int t = threadIdx.x;
  const int lane = t % lanes;

  for (int w = t; w < words; w += threads) bins[w] = 0;

  const int step = threads * gridDim.x;
  for (int i = threads * blockIdx.x + t; i < n; i += step) {
    atomicAdd(&bins[in[i] * lanes + lane], 1u);
  }
  __syncthreads();

  if (t < 256) {
    unsigned total = 0;
    for (int l = 0; l < lanes; ++l) total += bins[t * lanes + (t + l) % lanes];
    counts[t] += total;
  }
}

int blocks_for(int n) {
  const int share = 16 * 1024, most = 4 * 132;
  const int blocks = (n + share - 1) / share;
  return blocks > most ? most : blocks;
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  if (n > 0) histogram_kernel<<<blocks_for(n), threads>>>(in, counts, n);
}
