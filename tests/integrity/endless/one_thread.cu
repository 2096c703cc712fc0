// Honest: one thread does all the work, again and again. That takes seconds, but it ends.
// (On a GPU, one thread takes half a minute.)
// Lab: diff
// Verdict: graded
// Earns: correctness 40, safety 10
// Needs: emulator

#include "diff.h"

namespace {

__global__ void diff_kernel(const int* in, int* out, int n) {
  const int times = n > 500'000 ? 30 : 1;
  for (int time = 0; time < times; ++time) {
    for (int i = 0; i < n; ++i) out[i] = i == 0 ? in[0] : in[i] - in[i - 1];
  }
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n > 0) diff_kernel<<<1, 1>>>(in, out, n);
}
