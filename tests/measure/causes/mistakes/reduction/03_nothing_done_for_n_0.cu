// CAUSE: For n = 0 the function returns without doing anything, but out[0] has to become 0.
// LINES: 34
// REPAIR: delete line 34, `if (n == 0) return;  // a launch of no blocks is an error`
// GOOD HINT: What is the sum of no numbers? Who writes it to out[0] in your function?
// SYMPTOM: Only for n = 0: out[0] is not written. All other sizes are right.

// The sum of n numbers, in passes.

#include "reduction.h"

namespace {

constexpr int block = 256;

__global__ void sum_kernel(const float* in, float* out, int n) {
  __shared__ float tile[block];
  const int t = threadIdx.x;
  const int i = blockIdx.x * block + t;

  tile[t] = i < n ? in[i] : 0.0f;
  __syncthreads();

  for (int distance = block / 2; distance > 0; distance /= 2) {
    if (t < distance) tile[t] += tile[t + distance];
    __syncthreads();
  }

  if (t == 0) out[blockIdx.x] = tile[0];
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  if (n == 0) return;  // a launch of no blocks is an error
  while (n > block) {
    const int blocks = (n + block - 1) / block;
    sum_kernel<<<blocks, block>>>(in, work, n);
    in = work;
    work += blocks;
    n = blocks;
  }
  sum_kernel<<<1, block>>>(in, out, n);
}
