// The grid has enough blocks for the size that was tried, and no more.
// Test: LAB_NAME is right over many blocks
// Says: never written: does the grid cover all of them?
// Task: 1

#include "LAB_NAME.h"

namespace {

__global__ void scale_kernel(const ELEMENT* in, ELEMENT* out, ELEMENT factor, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = factor * in[i];
}

}  // namespace

void LAB_NAME(const ELEMENT* in, ELEMENT* out, ELEMENT factor, int n) {
  if (n > 0) scale_kernel<<<64, 256>>>(in, out, factor, n);
}
