// The kernel computes the products in place and then copies them: the caller's input is gone.
// Test: LAB_NAME is right for one block and less
// Says: LAB_NAME changed in, which is read only
// Task: 2

#include "LAB_NAME.h"

namespace {

__global__ void scale_kernel(ELEMENT* values, ELEMENT* out, ELEMENT factor, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  values[i] *= factor;
  out[i] = values[i];
}

}  // namespace

void LAB_NAME(const ELEMENT* in, ELEMENT* out, ELEMENT factor, int n) {
  if (n > 0) scale_kernel<<<(n + 255) / 256, 256>>>(const_cast<ELEMENT*>(in), out, factor, n);
}
