// CAUSE: The loop ends one round early: with half = 1 the last two slots still have to be added.
// LINES: 19
// REPAIR: for (int half = kBlock / 2; half > 0; half /= 2) {
// SYMPTOM: About half of the elements are missing in the sum: those that were added to slot 1.

#include "reduction.h"

namespace {

constexpr int kBlock = 256;

__global__ void block_sums(const float* in, float* out, int n) {
  __shared__ float s[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  s[t] = i < n ? in[i] : 0.0f;
  __syncthreads();

  for (int half = kBlock / 2; half > 1; half /= 2) {
    if (t < half) s[t] += s[t + half];
    __syncthreads();
  }

  if (t == 0) out[blockIdx.x] = s[0];
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  const float* source = in;
  float* free_part = work;
  int count = n;
  while (count > kBlock) {
    const int blocks = (count + kBlock - 1) / kBlock;
    block_sums<<<blocks, kBlock>>>(source, free_part, count);
    source = free_part;
    free_part += blocks;
    count = blocks;
  }
  block_sums<<<1, kBlock>>>(source, out, count);
}
