// A loop over pairs of neighbors begins with 1; this one should not.
// Test: LAB_NAME is right over many blocks
// Says: Element 0 was never written.
// Task: 2

#include "LAB_NAME.h"

namespace {

__global__ void scale_kernel(const ELEMENT* in, ELEMENT* out, ELEMENT factor, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n) out[i] = factor * in[i];
}

}  // namespace

void LAB_NAME(const ELEMENT* in, ELEMENT* out, ELEMENT factor, int n) {
  if (n > 0) scale_kernel<<<(n + 255) / 256, 256>>>(in, out, factor, n);
}
