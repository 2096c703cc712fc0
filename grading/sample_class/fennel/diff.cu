#include "diff.h"

const int BLOCK_SIZE = 128;

__global__ void sharedDiff(const int* in, int* out, int n) {
  __shared__ int s[BLOCK_SIZE];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * BLOCK_SIZE + tx;
  if (i >= n) return;
  s[tx] = in[i];
  // All threads of a warp run together, so no barrier is needed here. Or is it?
  const int left = (tx > 0) ? s[tx - 1] : (i > 0 ? in[i - 1] : 0);
  out[i] = s[tx] - left;
}

void diff(const int* in, int* out, int n) {
  if (n <= 0) return;
  sharedDiff<<<(n + BLOCK_SIZE - 1) / BLOCK_SIZE, BLOCK_SIZE>>>(in, out, n);
}
