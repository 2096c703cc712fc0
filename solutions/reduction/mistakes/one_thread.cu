// A single thread adds everything up. It is right, but its 4-byte loads use an eighth of each
// sector.
// Test: sum reads each element once, and few warps stay to add
// Says: sector bytes wasted per useful byte
// Task: 1

#include "reduction.h"

namespace {

__global__ void sum_kernel(const float* in, float* out, int n) {
  float total = 0;
  for (int i = 0; i < n; ++i) total += in[i];
  *out = total;
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) { sum_kernel<<<1, 1>>>(in, out, n); }
