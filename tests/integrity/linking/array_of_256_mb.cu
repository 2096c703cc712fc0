// Honest: a global array of 256 MB, which is large but fits.
// Lab: diff
// Verdict: graded
// Earns: correctness 40, safety 10, memory 10

#include "diff.h"

__device__ float scratch[1 << 26];

__global__ void diff_kernel(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  scratch[i] = 1;
  out[i] = i == 0 ? in[0] : in[i] - in[i - 1];
}

void diff(const int* in, int* out, int n) {
  if (n > 0) diff_kernel<<<(n + 255) / 256, 256>>>(in, out, n);
}
