// Prints what it does, on the host and in the kernel.
// Lab: diff
// Verdict: graded
// Earns: everything

#include <cstdio>

#include "diff.h"

__global__ void diff_kernel(const int* in, int* out, int n) {
  __shared__ int tile[256];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * 256 + tx;
  if (i < n) tile[tx] = in[i];
  __syncthreads();
  if (i == 0) printf("in[0] is %d\n", in[0]);
  if (i < n) out[i] = tile[tx] - (tx > 0 ? tile[tx - 1] : i > 0 ? in[i - 1] : 0);
}

void diff(const int* in, int* out, int n) {
  const char* const text = "n";
  char line[64];
  std::snprintf(line, sizeof line, "%s: %5.2f blocks", text, n / 256.0);
  std::puts(line);
  if (n > 0) diff_kernel<<<(n + 255) / 256, 256>>>(in, out, n);
  if (cudaDeviceSynchronize() != cudaSuccess) std::fprintf(stderr, "failed\n");
}
