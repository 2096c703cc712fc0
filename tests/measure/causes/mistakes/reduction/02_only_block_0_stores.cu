// CAUSE: The sum of a block is stored by the thread with i == 0, which exists only in block 0, and not by thread 0 of each block, so the sums of all other blocks are never stored.
// LINES: 33
// REPAIR: line 33: `if (i == 0)` -> `if (t == 0)`
// GOOD HINT: Your sum is right for one block. Which thread stores the sum of block 1?
// SYMPTOM: Right for n <= 256. Beyond that the next pass reads slots of `work` that nobody wrote: garbage or NaN in the sum, uninitialized reads.

#include "reduction.h"

namespace {

constexpr int block = 256;

__global__ void sum_kernel(const float* in, float* out, int n) {
  __shared__ float tile[block];
  const int t = threadIdx.x;
  const int i = blockIdx.x * block + t;

  // load
  if (i < n) {
    tile[t] = in[i];
  } else {
    tile[t] = 0;
  }
  __syncthreads();

  // halve
  for (int half = block / 2; half >= 1; half /= 2) {
    if (t < half) tile[t] += tile[t + half];
    __syncthreads();
  }

  // store
  if (i == 0) out[blockIdx.x] = tile[0];
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  const float* from = in;
  float* to = work;
  int left = n;
  while (left > block) {
    const int blocks = (left + block - 1) / block;
    sum_kernel<<<blocks, block>>>(from, to, left);
    from = to;
    to += blocks;
    left = blocks;
  }
  sum_kernel<<<1, block>>>(from, out, left);
}
