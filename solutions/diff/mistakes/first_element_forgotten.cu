// Element 0 has no left neighbor, so it is left out, although it belongs to the output.
// Test: diff is right over many blocks
// Says: Element 0 was never written.
// Task: 4

#include "diff.h"

namespace {

__global__ void diff_kernel(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n) out[i] = in[i] - in[i - 1];
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n > 0) diff_kernel<<<(n + 255) / 256, 256>>>(in, out, n);
}
