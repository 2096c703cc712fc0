// CAUSE: The loop over the passes only runs while more than one number is left, so for n = 0 and n = 1 there is no pass at all and nothing is stored in `out`.
// LINES: 32, 38
// REPAIR: line 32: `while (left > 1) {` -> `do {`; line 38: `}` -> `} while (left > 1);`
// SYMPTOM: For n = 0 and n = 1 `out` keeps what it held before; every other n is right.
#include "reduction.h"

namespace {

const int threads = 256;

__global__ void block_sums(const float* src, float* dst, int count) {
  __shared__ float buf[threads];
  const int t = threadIdx.x;
  const int i = blockIdx.x * threads + t;
  buf[t] = i < count ? src[i] : 0.0f;
  __syncthreads();

  for (int half = threads / 2; half > 0; half /= 2) {
    if (t < half) buf[t] += buf[t + half];
    __syncthreads();
  }

  if (t == 0) dst[blockIdx.x] = buf[0];
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  const float* from = in;
  float* to = work;  // the sums of each pass go behind those of the pass before
  int left = n;
  while (left > 1) {
    const int blocks = left > threads ? (left + threads - 1) / threads : 1;
    block_sums<<<blocks, threads>>>(from, blocks == 1 ? out : to, left);
    from = to;
    to += blocks;
    left = blocks;
  }
}
