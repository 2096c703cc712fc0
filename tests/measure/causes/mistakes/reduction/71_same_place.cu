// CAUSE: Every pass after the first reads the sums in work and writes its own sums to the same place in work, so a block overwrites sums that another block has yet to read.
// LINES: after 35
// REPAIR: insert to += blocks; so that each pass writes behind the sums that it reads
// SYMPTOM: A data race between blocks as soon as three passes are needed (n > 65,536); the sum may be wrong.
#include "reduction.h"

namespace {

constexpr int block = 256;

__global__ void block_sums(const float* in, float* out, int n) {
  __shared__ float tile[block];
  const int t = threadIdx.x;
  const int i = blockIdx.x * block + t;
  tile[t] = i < n ? in[i] : 0.0f;
  __syncthreads();

  for (int half = block / 2; half > 0; half /= 2) {
    if (t < half) tile[t] += tile[t + half];
    __syncthreads();
  }

  if (t == 0) out[blockIdx.x] = tile[0];
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  const float* from = in;
  float* to = work;
  int left = n;
  while (left > block) {
    const int blocks = (left + block - 1) / block;
    block_sums<<<blocks, block>>>(from, to, left);
    from = to;
    left = blocks;
  }
  block_sums<<<1, block>>>(from, out, left);
}
