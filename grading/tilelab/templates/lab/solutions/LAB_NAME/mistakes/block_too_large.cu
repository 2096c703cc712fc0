// A block has at most 1024 threads: this launch fails, and nothing checks for the error.
// Test: LAB_NAME is right for one block and less
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
  if (n > 0) scale_kernel<<<n / 2048 + 1, 2048>>>(in, out, factor, n);
}
