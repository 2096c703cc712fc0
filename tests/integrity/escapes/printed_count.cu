// Writes to memory with printf(), which the observer does not see.
// Lab: diff
// Verdict: graded
// Earns: nothing

#include <cstdio>

#include "diff.h"

__global__ void diff_kernel(const int* in, int* out, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) out[i] = i == 0 ? in[0] : in[i] - in[i - 1];
}

void diff(const int* in, int* out, int n) {
  if (n == 0) return;
  int printed = 0;
  const char format[] = {'%', '1', '$', 'n', 0};
  printf(format, &printed);
  diff_kernel<<<(n + 255) / 256, 256>>>(in, out, n);
}
