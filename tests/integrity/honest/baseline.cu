// The lab's baseline, handed in: right and safe, but it loads every element twice.
// Lab: diff
// Verdict: graded
// Earns: correctness 40, safety 10, memory 10

// The simple kernel: one thread per element, both operands from global memory. Every element of
// `in` is loaded twice. This file is given: your speedup is measured against it.

#include "diff.h"

namespace {

__global__ void diff_kernel(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = i == 0 ? in[0] : in[i] - in[i - 1];
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n == 0) return;
  constexpr int block = 256;
  const int grid = (n + block - 1) / block;
  diff_kernel<<<grid, block>>>(in, out, n);
}
