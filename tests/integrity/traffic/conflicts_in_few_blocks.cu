// A thread adds up 40 numbers before they come into the tile, so the tile's conflicts are few.
// Lab: reduction
// Verdict: graded
// Earns: correctness 40, safety 10, memory 10
// Says: bank conflicts per 32 elements
// Needs: emulator

#include "reduction.h"

namespace {

constexpr int block = 256, each = 40;

__global__ void sum_kernel(const float* in, float* out, int n) {
  __shared__ float tile[block];
  const int t = threadIdx.x;
  float own = 0;
  for (int k = 0; k < each; ++k) {
    const int i = (blockIdx.x * each + k) * block + t;
    if (i < n) own += in[i];
  }
  tile[t] = own;
  __syncthreads();
  for (int apart = 1; apart < block; apart *= 2) {
    const int left = 2 * apart * t;
    if (left < block) tile[left] += tile[left + apart];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = tile[0];
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  constexpr int share = block * each;
  float* free = work;
  while (n > share) {
    const int blocks = (n + share - 1) / share;
    sum_kernel<<<blocks, block>>>(in, free, n);
    in = free;
    free += blocks;
    n = blocks;
  }
  sum_kernel<<<1, block>>>(in, out, n);
}
