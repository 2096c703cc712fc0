// A variable that another file would have to define.
// Lab: diff
// Verdict: rejected
// Earns: nothing
// Says: elsewhere

#include "diff.h"

extern __device__ int elsewhere;

__global__ void diff_kernel(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  elsewhere = i;
  out[i] = i == 0 ? in[0] : in[i] - in[i - 1];
}

void diff(const int* in, int* out, int n) {
  if (n > 0) diff_kernel<<<(n + 255) / 256, 256>>>(in, out, n);
}
