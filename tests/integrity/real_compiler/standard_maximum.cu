// std::max in a kernel, a common slip: it is a host function.
// Lab: diff
// Verdict: compile_error
// Earns: nothing
// Says: diff.cu:16: error:

#include <algorithm>

#include "diff.h"

namespace {

__global__ void kernel(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const int left = std::max(i - 1, 0);
    out[i] = i > 0 ? in[i] - in[left] : in[i];
  }
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n > 0) kernel<<<(n + 255) / 256, 256>>>(in, out, n);
}
