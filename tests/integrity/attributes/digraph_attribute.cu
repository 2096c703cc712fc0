// The same attribute between digraphs.
// Lab: diff
// Verdict: rejected
// Earns: nothing
// Says: the attribute no_sanitize_thread is not allowed

#include "diff.h"

// Loads each element twice, and has a data race.
// clang-format off
__device__ <:<:gnu::no_sanitize_thread:>:> int load(const int* in, int i) {
  return i < 0 ? 0 : in[i];
}

<:<:gnu::no_sanitize_thread:>:> __global__ void diff_kernel(const int* in, int* out, int n) {
  // clang-format on
  __shared__ int shared_by_two[128];
  const int i = blockIdx.x * 256 + threadIdx.x;
  shared_by_two[threadIdx.x / 2] = i;
  __syncthreads();
  if (i < n && shared_by_two[threadIdx.x / 2] >= 0) out[i] = load(in, i) - load(in, i - 1);
}

void diff(const int* in, int* out, int n) {
  if (n > 0) diff_kernel<<<(n + 255) / 256, 256>>>(in, out, n);
}
