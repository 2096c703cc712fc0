// A global array of 3 GB, which no program can be linked with: a plausible mistake, not the
// machine's.
// Lab: diff
// Verdict: compile_error
// Earns: nothing
// Says: the global arrays take too much memory

#include "diff.h"

__device__ float scratch[3u << 28];

__global__ void diff_kernel(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  scratch[i] = 1;
  out[i] = i == 0 ? in[0] : in[i] - in[i - 1];
}

void diff(const int* in, int* out, int n) {
  if (n > 0) diff_kernel<<<(n + 255) / 256, 256>>>(in, out, n);
}
