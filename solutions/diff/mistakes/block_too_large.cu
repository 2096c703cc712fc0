// A block has at most 1024 threads: this launch fails, and nothing checks for the error.
// Test: diff is right for one block and less
// Says: failed with cudaErrorInvalid
// Task: 1

#include "diff.h"

namespace {

__global__ void diff_kernel(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i == 0 ? in[0] : in[i] - in[i - 1];
}

}  // namespace

void diff(const int* in, int* out, int n) {
  constexpr int block = 2048;
  if (n > 0) diff_kernel<<<(n + block - 1) / block, block>>>(in, out, n);
}
