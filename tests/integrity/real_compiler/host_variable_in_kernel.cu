// Hands the length to the kernel in a variable of the host: on a GPU that is another memory.
// Lab: diff
// Verdict: compile_error
// Earns: nothing
// Says: diff.cu:15: error:

#include "diff.h"

namespace {

int length;

__global__ void kernel(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) out[i] = i > 0 ? in[i] - in[i - 1] : in[i];
}

}  // namespace

void diff(const int* in, int* out, int n) {
  length = n;
  if (n > 0) kernel<<<(n + 255) / 256, 256>>>(in, out);
}
