// CAUSE: Parentheses are missing: minus and > bind more tightly than ?:, so s[tx] - tx > 0 is the condition, and the left neighbor is the result.
// LINES: 21
// REPAIR: out[i] = s[tx] - (tx > 0 ? s[tx - 1] : i > 0 ? in[i - 1] : 0);
// SYMPTOM: The results are neighbors or zeros instead of differences, and thread 0 may read s[-1].

#include "diff.h"

namespace {

constexpr int kThreads = 256;

__global__ void diff_kernel(const int* in, int* out, int n) {
  __shared__ int s[kThreads];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * kThreads + tx;

  if (i < n) s[tx] = in[i];
  __syncthreads();

  if (i < n) {
    out[i] = s[tx] - tx > 0 ? s[tx - 1] : i > 0 ? in[i - 1] : 0;
  }
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n == 0) return;
  const int blocks = (n + kThreads - 1) / kThreads;
  diff_kernel<<<blocks, kThreads>>>(in, out, n);
}
