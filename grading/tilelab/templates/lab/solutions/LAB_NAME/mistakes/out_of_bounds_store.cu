// Nothing checks whether there is an element: the last block has more threads than elements left.
// Test: LAB_NAME is right for one block and less
// Says: LAB_NAME wrote past the end of out: at [
// Task: 2

#include "LAB_NAME.h"

namespace {

__global__ void scale_kernel(const ELEMENT* in, ELEMENT* out, ELEMENT factor, int) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = factor * in[i];
}

}  // namespace

void LAB_NAME(const ELEMENT* in, ELEMENT* out, ELEMENT factor, int n) {
  if (n > 0) scale_kernel<<<(n + 255) / 256, 256>>>(in, out, factor, n);
}
