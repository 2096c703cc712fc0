// Each thread runs as many rounds as it likes, so some threads go past the last barriers.
// Lab: diff
// Verdict: graded
// Earns: correctness 40
// Says: without the __syncthreads()

#include "diff.h"

__global__ void diff_kernel(const int* in, int* out, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  for (int k = 0; k < 1 + static_cast<int>(threadIdx.x % 3); ++k) __syncthreads();
  if (i < n) out[i] = i == 0 ? in[0] : in[i] - in[i - 1];
}

void diff(const int* in, int* out, int n) {
  if (n > 0) diff_kernel<<<(n + 255) / 256, 256>>>(in, out, n);
}
