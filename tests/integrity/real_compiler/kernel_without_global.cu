// Launches a function that is not __global__. g++ takes it, nvcc does not.
// Lab: diff
// Verdict: compile_error
// Earns: nothing
// Says: diff.cu:19: error:

#include "diff.h"

namespace {

void kernel(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i > 0 ? in[i] - in[i - 1] : in[i];
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n > 0) kernel<<<(n + 255) / 256, 256>>>(in, out, n);
}
