// The difference is computed in 64 bits and clamped to the range of int: it should wrap.
// Test: diff wraps on overflow
// Says: out is wrong at
// Task: 4

#include "diff.h"

namespace {

__global__ void diff_kernel(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const long long exact = i == 0 ? in[0] : static_cast<long long>(in[i]) - in[i - 1];
  out[i] = static_cast<int>(max(-2147483648LL, min(2147483647LL, exact)));
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n > 0) diff_kernel<<<(n + 255) / 256, 256>>>(in, out, n);
}
