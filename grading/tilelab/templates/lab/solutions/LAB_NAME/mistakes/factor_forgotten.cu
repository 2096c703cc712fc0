// The row is copied, not scaled.
// Test: LAB_NAME is right over many blocks
// Says: Every element is wrong.
// Task: 2

#include "LAB_NAME.h"

namespace {

__global__ void scale_kernel(const ELEMENT* in, ELEMENT* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

}  // namespace

void LAB_NAME(const ELEMENT* in, ELEMENT* out, ELEMENT factor, int n) {
  (void)factor;
  if (n > 0) scale_kernel<<<(n + 255) / 256, 256>>>(in, out, n);
}
