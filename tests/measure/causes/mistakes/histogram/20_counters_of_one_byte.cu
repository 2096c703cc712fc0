// CAUSE: a counter is an unsigned char, which cannot count beyond 255, but a thread may have up to 512 equal bytes and more
// LINES: 11
// REPAIR: unsigned counters (32 KiB of shared memory)
// GOOD HINT: How many bytes does one thread count? What is the largest number that one of its counters holds?
// SYMPTOM: counts are too low by a multiple of 256 where many bytes are equal; right for random bytes and small n

#include "histogram.h"

namespace {

using Counter = unsigned char;
constexpr int threads = 32;
constexpr int bins = 256;
constexpr int per_block = 16384;
constexpr int max_blocks = 1056;

// A column of counters for every thread: no atomics needed for the counting.
__global__ void count_bytes(const unsigned char* in, unsigned* counts, int n) {
  __shared__ Counter counter[bins][threads];
  const int t = threadIdx.x;
  for (int v = 0; v < bins; ++v) counter[v][t] = 0;

  for (int i = blockIdx.x * threads + t; i < n; i += gridDim.x * threads) ++counter[in[i]][t];
  __syncthreads();

  for (int v = t; v < bins; v += threads) {
    unsigned total = 0;
    for (int k = 0; k < threads; ++k) total += counter[v][(t + k) % threads];
    atomicAdd(&counts[v], total);
  }
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  if (n == 0) return;
  int blocks = (n + per_block - 1) / per_block;
  if (blocks > max_blocks) blocks = max_blocks;
  count_bytes<<<blocks, threads>>>(in, counts, n);
}
