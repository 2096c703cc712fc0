// Shared memory in a host function, where there is no block.
// Lab: diff
// Verdict: compile_error
// Earns: nothing
// Says: diff.cu:19: error:

#include "diff.h"

namespace {

__global__ void kernel(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i > 0 ? in[i] - in[i - 1] : in[i];
}

}  // namespace

void diff(const int* in, int* out, int n) {
  __shared__ int calls[4];
  if (++calls[0] > 0 && n > 0) kernel<<<(n + 255) / 256, 256>>>(in, out, n);
}
