// CAUSE: The blocks add their totals to the counts with a plain +=, but all blocks do that at the same time.
// LINES: 29
// REPAIR: line 29: `if (total > 0) counts[t] += total;` -> `if (total > 0) atomicAdd(&counts[t], total);`
// SYMPTOM: One block (n <= 16384) is right; with more blocks it is a data race on counts, and additions get lost.
#include "histogram.h"

namespace {

constexpr int values = 256;
constexpr int copies = 32;  // one per lane
constexpr int block = 256;

__global__ void histogram_kernel(const unsigned char* in, unsigned* counts, int n) {
  __shared__ unsigned bins[values][copies];
  const int t = threadIdx.x;
  const int lane = t % copies;

  for (int v = t / copies; v < values; v += block / copies) bins[v][lane] = 0;
  __syncthreads();

  for (int i = blockIdx.x * block + t; i < n; i += gridDim.x * block) {
    atomicAdd(&bins[in[i]][lane], 1u);
  }
  __syncthreads();

  // Thread t adds up the copies of bin t. Each starts with another one.
  unsigned total = 0;
  for (int c = 0; c < copies; ++c) total += bins[t][(t + c) % copies];
  if (total > 0) counts[t] += total;
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  if (n == 0) return;
  const int wanted = (n + (16 << 10) - 1) / (16 << 10);
  const int blocks = wanted < 8 * 132 ? wanted : 8 * 132;
  histogram_kernel<<<blocks, block>>>(in, counts, n);
}
