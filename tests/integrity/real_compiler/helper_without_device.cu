// A kernel calls a function that is not __device__.
// Lab: diff
// Verdict: compile_error
// Earns: nothing
// Says: diff.cu:15: error:

#include "diff.h"

namespace {

int left(const int* in, int i) { return i > 0 ? in[i - 1] : 0; }

__global__ void kernel(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] - left(in, i);
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n > 0) kernel<<<(n + 255) / 256, 256>>>(in, out, n);
}
