// CAUSE: The barrier is inside `if (i < n)`, so in the last block only the threads with an element reach it.
// LINES: 22
// REPAIR: line 22: `__syncthreads();` -> `} __syncthreads(); if (i < n) {`
// GOOD HINT: Which threads of the last block come to your barrier for n = 10 and blocks of 256? What does a barrier wait for?
// SYMPTOM: Divergent barrier in the last block whenever n is no multiple of 256: undefined, a hang or a report of the checked build; may give right results on some GPUs.

// Lab `diff`: out[0] = in[0], out[i] = in[i] - in[i-1].

#include "diff.h"

namespace {

constexpr int block = 256;

__global__ void diff_kernel(const int* in, int* out, int n) {
  __shared__ int tile[block];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * block + tx;

  if (i < n) {
    tile[tx] = in[i];
    __syncthreads();
    if (tx > 0)
      out[i] = tile[tx] - tile[tx - 1];
    else if (i > 0)
      out[i] = tile[tx] - in[i - 1];
    else
      out[i] = tile[tx];
  }
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n > 0) diff_kernel<<<(n + block - 1) / block, block>>>(in, out, n);
}
