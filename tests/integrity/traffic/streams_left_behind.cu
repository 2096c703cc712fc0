// Makes a stream in each call, and destroys none.
// Lab: diff
// Verdict: graded
// Earns: correctness 40, memory 20
// Says: streams behind in

#include "diff.h"

__global__ void kernel(const int* in, int* out, int n) {
  __shared__ int tile[256];
  const int tx = threadIdx.x, i = blockIdx.x * 256 + tx;
  if (i < n) tile[tx] = in[i];
  __syncthreads();
  if (i >= n) return;
  const int left = tx > 0 ? tile[tx - 1] : i > 0 ? in[i - 1] : 0;
  out[i] = tile[tx] - left;
}

void diff(const int* in, int* out, int n) {
  if (n == 0) return;
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  kernel<<<(n + 255) / 256, 256, 0, stream>>>(in, out, n);
}
