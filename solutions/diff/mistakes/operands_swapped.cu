// The left neighbor minus the element, instead of the other way around.
// Test: diff is right one off every block size
// Says: Every element is wrong.
// Task: 4

#include "diff.h"

namespace {

__global__ void diff_kernel(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i == 0 ? -in[0] : in[i - 1] - in[i];
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n > 0) diff_kernel<<<(n + 255) / 256, 256>>>(in, out, n);
}
