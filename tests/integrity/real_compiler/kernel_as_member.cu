// A kernel that is a member of a class.
// Lab: diff
// Verdict: compile_error
// Earns: nothing
// Says: diff.cu:12: error:

#include "diff.h"

namespace {

struct Row {
  static __global__ void kernel(const int* in, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = i > 0 ? in[i] - in[i - 1] : in[i];
  }
};

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n > 0) Row::kernel<<<(n + 255) / 256, 256>>>(in, out, n);
}
