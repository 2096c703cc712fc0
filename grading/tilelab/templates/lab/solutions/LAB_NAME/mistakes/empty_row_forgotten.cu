// With n = 0 the grid has no block, and a launch of no blocks is an error.
// Test: LAB_NAME does nothing for an empty row
// Says: failed with cudaErrorInvalid
// Task: 1

#include "LAB_NAME.h"

namespace {

__global__ void scale_kernel(const ELEMENT* in, ELEMENT* out, ELEMENT factor, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = factor * in[i];
}

}  // namespace

void LAB_NAME(const ELEMENT* in, ELEMENT* out, ELEMENT factor, int n) {
  scale_kernel<<<(n + 255) / 256, 256>>>(in, out, factor, n);
}
