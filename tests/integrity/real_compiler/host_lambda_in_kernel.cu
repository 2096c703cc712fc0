// Hands a lambda of the host to a kernel. Only nvcc knows its type.
// Lab: diff
// Verdict: compile_error
// Earns: nothing
// Says: diff.cu:15: error:
// Needs: nvcc

#include "diff.h"

namespace {

template <class Function>
__global__ void kernel(Function function, const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = function(in, i);
}

}  // namespace

void diff(const int* in, int* out, int n) {
  const auto left = [](const int* row, int i) { return i > 0 ? row[i] - row[i - 1] : row[i]; };
  if (n > 0) kernel<<<(n + 255) / 256, 256>>>(left, in, out, n);
}
