// CAUSE: the loop asks before the first pass whether more than one number is left, so for n = 0 and n = 1 nothing is launched, and out is never written
// LINES: 33
// REPAIR: make at least one pass: do ... while (left > 1)
// GOOD HINT: What does your loop do if n is 1?
// SYMPTOM: out[0] is not written for n = 0 and n = 1

#include "reduction.h"

namespace {

constexpr int kTile = 256;

__global__ void sum_kernel(const float* in, float* out, int n) {
  __shared__ float tile[kTile];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kTile + t;
  tile[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int half = kTile / 2; half > 0; half /= 2) {
    if (t < half) tile[t] += tile[t + half];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = tile[0];
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  // one pass after another, each into the next free part of work, the last one into out
  const float* from = in;
  float* free_part = work;
  int left = n;
  while (left > 1) {
    const int blocks = left > 0 ? (left + kTile - 1) / kTile : 1;
    float* to = blocks == 1 ? out : free_part;
    sum_kernel<<<blocks, kTile>>>(from, to, left);
    from = to;
    free_part += blocks;
    left = blocks;
  }
}
