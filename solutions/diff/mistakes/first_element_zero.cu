// out[0] must be in[0], not 0: only then does a running sum of the output give the row back.
// Test: diff is right over many blocks
// Says: Only element 0 is wrong.
// Task: 4

#include "diff.h"

namespace {

__global__ void diff_kernel(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i == 0 ? 0 : in[i] - in[i - 1];
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n > 0) diff_kernel<<<(n + 255) / 256, 256>>>(in, out, n);
}
