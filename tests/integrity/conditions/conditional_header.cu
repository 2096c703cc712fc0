// Includes a header where only nvcc looks.
// Lab: diff
// Verdict: rejected
// Earns: nothing
// Says: must be the same program for all compilers

#include "diff.h"
#ifdef __NVCC__
#include <vector>
#endif

__global__ void diff_kernel(const int* in, int* out, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) out[i] = i == 0 ? in[0] : in[i] - in[i - 1];
}

void diff(const int* in, int* out, int n) {
  if (n > 0) diff_kernel<<<(n + 255) / 256, 256>>>(in, out, n);
}
