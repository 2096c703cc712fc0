// The host calls the __device__ function that does the work.
// Lab: diff
// Verdict: compile_error
// Earns: nothing
// Says: diff.cu:19: error:

#include "diff.h"

namespace {

__device__ void row(const int* in, int* out, int n) {
  for (int i = 0; i < n; ++i) out[i] = i > 0 ? in[i] - in[i - 1] : in[i];
}

__global__ void kernel(const int* in, int* out, int n) { row(in, out, n); }

}  // namespace

void diff(const int* in, int* out, int n) { (void)kernel, row(in, out, n); }
