// A kernel calls a template that is not __device__, through a member of a struct and constexpr.
// Lab: diff
// Verdict: compile_error
// Earns: nothing
// Says: diff.cu:20: error:

#include "diff.h"

namespace {

struct Row {
  template <class T>
  static constexpr T left(const T* in, int i) {
    return i > 0 ? in[i - 1] : 0;
  }
};

__global__ void kernel(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] - Row::left<int>(in, i);
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n > 0) kernel<<<(n + 255) / 256, 256>>>(in, out, n);
}
