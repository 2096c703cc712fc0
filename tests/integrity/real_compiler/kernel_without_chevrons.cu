// Calls a kernel like a function: one thread, on the host.
// Lab: diff
// Verdict: compile_error
// Earns: nothing
// Says: diff.cu:17: error:

#include "diff.h"

namespace {

__global__ void kernel(const int* in, int* out, int n) {
  for (int i = 0; i < n; ++i) out[i] = i > 0 ? in[i] - in[i - 1] : in[i];
}

}  // namespace

void diff(const int* in, int* out, int n) { kernel(in, out, n); }
