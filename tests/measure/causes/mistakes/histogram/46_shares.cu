// CAUSE: The share of a block is n / gridDim.x rounded down, so the last n % gridDim.x bytes belong to no block.
// LINES: 18
// REPAIR: line 18: `const int share = n / gridDim.x;` -> `const int share = (n + gridDim.x - 1) / gridDim.x;`
// SYMPTOM: With one block (n <= 16384) it is right; otherwise up to gridDim.x - 1 bytes at the end are not counted.
#include "histogram.h"

namespace {

constexpr int values = 256, copies = 32, threads = 256;

// Each block counts a piece of the bytes, without gaps.
__global__ void count_pieces(const unsigned char* in, unsigned* counts, int n) {
  __shared__ unsigned bins[values * copies];
  const int t = threadIdx.x, lane = t & 31;

  for (int slot = t; slot < values * copies; slot += threads) bins[slot] = 0;

  const int share = n / gridDim.x;
  const int begin = blockIdx.x * share;
  const int end = min(begin + share, n);
  __syncthreads();

  for (int i = begin + t; i < end; i += threads) {
    const unsigned value = in[i];
    atomicAdd(&bins[value * copies + lane], 1u);
  }
  __syncthreads();

  unsigned sum = 0;
  for (int c = 0; c < copies; ++c) sum += bins[t * copies + ((c + lane) & 31)];
  atomicAdd(&counts[t], sum);
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  if (n <= 0) return;
  const int pieces = (n + 16383) / 16384;
  count_pieces<<<pieces < 1056 ? pieces : 1056, threads>>>(in, counts, n);
}
