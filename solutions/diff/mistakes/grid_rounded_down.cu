// The number of blocks is rounded down: the last block, which is not full, is never launched.
// Test: diff is right one off every block size
// Says: never written: does the grid cover all of them?
// Task: 1

#include "diff.h"

namespace {

__global__ void diff_kernel(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i == 0 ? in[0] : in[i] - in[i - 1];
}

}  // namespace

void diff(const int* in, int* out, int n) {
  constexpr int block = 64;
  if (n >= block) diff_kernel<<<n / block, block>>>(in, out, n);
}
