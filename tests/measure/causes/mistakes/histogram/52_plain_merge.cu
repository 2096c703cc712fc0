// CAUSE: The blocks add their bins to the counts with a plain +=, though other blocks do so at the same time; it has to be an atomicAdd.
// LINES: 28
// REPAIR: line 28: `counts[threadIdx.x] += total;` -> `atomicAdd(&counts[threadIdx.x], total);`
// SYMPTOM: A data race between blocks: with more than one block (n > 16384) counts are too small, differently in each run; right for one block.
#include "histogram.h"

namespace {

constexpr int kValues = 256;
constexpr int kWarps = 8;
constexpr int kThreads = 32 * kWarps;

// Each warp has bins of its own.
__global__ void count_bytes(const unsigned char* __restrict__ in, unsigned* counts, int n) {
  __shared__ unsigned bins[kWarps][kValues];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;

  for (int v = lane; v < kValues; v += 32) bins[warp][v] = 0;
  __syncwarp();

  const int threads = gridDim.x * kThreads;
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < n; i += threads)
    atomicAdd(&bins[warp][in[i]], 1u);
  __syncthreads();

  unsigned total = 0;
  for (int w = 0; w < kWarps; ++w) total += bins[w][threadIdx.x];
  counts[threadIdx.x] += total;
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  if (n <= 0) return;
  const int share = 16384;
  int blocks = n / share + (n % share != 0);
  blocks = blocks < 1056 ? blocks : 1056;
  count_bytes<<<blocks, kThreads>>>(in, counts, n);
}
