// CAUSE: The left neighbor is always loaded from global memory, though for all threads but thread 0 it is in the tile already, so each element is still loaded twice.
// LINES: 28
// REPAIR: line 28: `- in[i - 1]` -> `- (tx > 0 ? tile[tx - 1] : in[i - 1])`
// GOOD HINT: Your results are right, but count the loads from global memory for each element. Who has put in[i - 1] into shared memory already?
// SYMPTOM: Right results, no race; about 2 loads per element instead of 1.004, as many as the baseline.

// Lab `diff`

#include "diff.h"

namespace {

constexpr int block = 256;

__global__ void diff_kernel(const int* in, int* out, int n) {
  __shared__ int tile[block];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * block + tx;

  if (i < n) tile[tx] = in[i];

  __syncthreads();

  if (i < n) {
    if (i == 0) {
      out[i] = tile[tx];
    } else {
      out[i] = tile[tx] - in[i - 1];
    }
  }
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n == 0) return;
  const int blocks = (n + block - 1) / block;
  diff_kernel<<<blocks, block>>>(in, out, n);
}
