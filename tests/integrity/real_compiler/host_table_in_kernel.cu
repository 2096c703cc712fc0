// Reads a constexpr array of the host in a kernel, where only its size is known.
// Lab: diff
// Verdict: compile_error
// Earns: nothing
// Says: diff.cu:15: error:

#include "diff.h"

namespace {

constexpr int weights[] = {1, -1};

__global__ void kernel(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = weights[0] * in[i] + (i > 0 ? weights[1] * in[i - 1] : 0);
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n > 0) kernel<<<(n + 255) / 256, 256>>>(in, out, n);
}
