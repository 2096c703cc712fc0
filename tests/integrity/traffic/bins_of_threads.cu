// Honest: a few threads count in arrays of their own, and add them to the counts. Each makes
// thousands of accesses before, so its log is full at one of the atomic operations.
// Lab: histogram
// Verdict: graded
// Earns: correctness 40, safety 10
// Says: atomic operations on global memory

#include "histogram.h"

namespace {

constexpr int block = 32, blocks = 2;

__global__ void count(const unsigned char* in, unsigned* counts, int n) {
  unsigned own[256] = {};
  for (int i = blockIdx.x * block + threadIdx.x; i < n; i += block * blocks) ++own[in[i]];
  for (int v = 0; v < 256; ++v) {
    if (own[v] != 0) atomicAdd(&counts[v], own[v]);
  }
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  if (n > 0) count<<<blocks, block>>>(in, counts, n);
}
