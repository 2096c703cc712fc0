// A kernel launches the kernel that does the work.
// Lab: diff
// Verdict: compile_error
// Earns: nothing
// Says: diff.cu:17: error:

#include "diff.h"

namespace {

__global__ void kernel(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i > 0 ? in[i] - in[i - 1] : in[i];
}

__global__ void start(const int* in, int* out, int n) {
  kernel<<<(n + 255) / 256, 256>>>(in, out, n);
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n > 0) start<<<1, 1>>>(in, out, n);
}
