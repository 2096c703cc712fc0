// The output is cleared, and two kernels add to it atomically. A third counts what it did, and
// host code reads that number.
// Lab: diff
// Verdict: graded
// Earns: correctness 40, safety 10, memory 10

#include "diff.h"

__global__ void add_own(const int* in, int* out, int n, int* count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  atomicAdd(&out[i], in[i]);
  atomicAdd(count, 1);
}

__global__ void subtract_left(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n) atomicSub(&out[i], in[i - 1]);
}

void diff(const int* in, int* out, int n) {
  if (n == 0) return;
  int* count = nullptr;
  cudaMalloc(&count, sizeof(int));
  cudaMemset(count, 0, sizeof(int));
  cudaMemset(out, 0, sizeof(int) * n);
  add_own<<<(n + 255) / 256, 256>>>(in, out, n, count);
  int done = 0;
  cudaMemcpy(&done, count, sizeof(int), cudaMemcpyDeviceToHost);
  if (done == n) subtract_left<<<(n + 255) / 256, 256>>>(in, out, n);
  cudaFree(count);
}
