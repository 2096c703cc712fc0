// Everything, the barrier too, is inside of the guard: a warning that names the line.
// Lab: diff
// Verdict: graded
// Earns: everything
// Says: diff.cu:16

#include "diff.h"

__global__ void diff_kernel(const int* in, int* out, int n) {
  __shared__ int tile[256];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * 256 + tx;
  if (i < n) {
    tile[tx] = in[i];
    // The line that is named:
    __syncthreads();
    out[i] = tile[tx] - (tx > 0 ? tile[tx - 1] : i > 0 ? in[i - 1] : 0);
  }
}

void diff(const int* in, int* out, int n) {
  if (n > 0) diff_kernel<<<(n + 255) / 256, 256>>>(in, out, n);
}
