// The number of blocks is rounded down: the last block, which is not full, is never launched.
// Test: LAB_NAME is right one off every block size
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
  constexpr int block = 128;
  const int grid = n < block ? (n > 0) : n / block;
  if (grid > 0) scale_kernel<<<grid, block>>>(in, out, factor, n);
}
