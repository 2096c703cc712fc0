#include "diff.h"

#define BLOCK 256

__global__ void diff_kernel(const int* in, int* out, int n) {
  __shared__ int tile[BLOCK];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) tile[threadIdx.x] = in[i]
  __syncthreads();
  if (i > 0 && i < n) out[i] = tile[threadIdx.x] - tile[threadidx.x - 1];
}

void diff(const int* in, int* out, int n) {
  diff_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(in, out, n);
}
