// CAUSE: the barrier of a round stands within the condition, so the threads that no longer add do not wait there
// LINES: 22
// REPAIR: put __syncthreads() behind the if
// GOOD HINT: Which threads reach the barrier in the second round?
// SYMPTOM: threads wait at different barriers

#include "reduction.h"

namespace {

constexpr int BLOCK = 256;

__global__ void sum_kernel(const float* in, float* out, int n) {
  __shared__ float values[BLOCK];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * BLOCK + tx;
  values[tx] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int stride = BLOCK / 2; stride > 0; stride /= 2) {
    if (tx < stride) {
      values[tx] += values[tx + stride];
      __syncthreads();
    }
  }
  if (tx == 0) out[blockIdx.x] = values[0];
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  const int first_blocks = n > 0 ? (n + BLOCK - 1) / BLOCK : 1;
  if (first_blocks == 1) {
    sum_kernel<<<1, BLOCK>>>(in, out, n);
    return;
  }
  sum_kernel<<<first_blocks, BLOCK>>>(in, work, n);
  // from now on the sums go from one part of work to the other
  float* from = work;
  float* to = work + first_blocks;
  int count = first_blocks;
  while (count > BLOCK) {
    const int blocks = (count + BLOCK - 1) / BLOCK;
    sum_kernel<<<blocks, BLOCK>>>(from, to, count);
    float* old = from;
    from = to;
    to = old;
    count = blocks;
  }
  sum_kernel<<<1, BLOCK>>>(from, out, count);
}
