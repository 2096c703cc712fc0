// Thread 0 of each block goes past the barrier at which the rest of its warp waits.
// Lab: diff
// Verdict: graded
// Earns: correctness 40, memory 20
// Says: without the __syncthreads()

#include "diff.h"

__global__ void diff_kernel(const int* in, int* out, int n) {
  __shared__ int tile[256];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * 256 + tx;
  if (i < n) tile[tx] = in[i];
  if (tx > 0) __syncthreads();
  if (i >= n) return;
  const int left = i == 0 ? 0 : tx > 0 ? tile[tx - 1] : in[i - 1];
  out[i] = tile[tx] - left;
}

void diff(const int* in, int* out, int n) {
  if (n > 0) diff_kernel<<<(n + 255) / 256, 256>>>(in, out, n);
}
