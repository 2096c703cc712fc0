// A loop in a kernel that never ends.
// Lab: diff
// Verdict: graded
// Earns: nothing
// Says: At that time kernel diff_kernel, block (0,0,0), thread

#include "diff.h"

namespace {

__global__ void diff_kernel(const int* in, int* out, int n) {
  volatile int turns = 0;
  while (turns >= 0) turns = turns == 1000 ? 0 : turns + 1;
  if (n > 0) out[0] = in[0];
}

}  // namespace

void diff(const int* in, int* out, int n) { diff_kernel<<<1, 32>>>(in, out, n); }
