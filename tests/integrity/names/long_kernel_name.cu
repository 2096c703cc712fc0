// Honest: a kernel template with a long name, which is shown nowhere.
// Lab: diff
// Verdict: graded
// Earns: correctness 40, safety 10, memory 10

#include "diff.h"

namespace {

template <class A, class B>
struct Pair {};

using T2 = Pair<Pair<int, float>, Pair<float, int>>;
using T4 = Pair<Pair<T2, T2>, Pair<T2, T2>>;
using T6 = Pair<Pair<T4, T4>, Pair<T4, T4>>;

template <class Tag>
__global__ void diff_kernel(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i == 0 ? in[0] : in[i] - in[i - 1];
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n > 0) diff_kernel<T6><<<(n + 255) / 256, 256>>>(in, out, n);
}
