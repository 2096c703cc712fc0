// A kernel writes the row to page-locked host memory through the pointer that the runtime gives
// for it, and the CPU does the work.
// Lab: diff
// Verdict: graded
// Earns: nothing
// Says: it copied an input to the host, or what was computed from one

#include <vector>

#include "diff.h"

__global__ void copy(const int* from, int* to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[i];
}

void diff(const int* in, int* out, int n) {
  if (n == 0) return;
  int* host = nullptr;
  int* mapped = nullptr;
  cudaHostAlloc(&host, sizeof(int) * n, cudaHostAllocMapped);
  cudaHostGetDevicePointer(reinterpret_cast<void**>(&mapped), host, 0);
  copy<<<(n + 255) / 256, 256>>>(in, mapped, n);
  cudaDeviceSynchronize();
  for (int i = n - 1; i > 0; --i) host[i] -= host[i - 1];
  copy<<<(n + 255) / 256, 256>>>(mapped, out, n);
  cudaDeviceSynchronize();
  cudaFreeHost(host);
}
