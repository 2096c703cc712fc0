// Loads with an instruction of the processor.
// Lab: diff
// Verdict: rejected
// Earns: nothing
// Says: __builtin_ia32_loaddqu is not allowed

#include "diff.h"

__global__ void diff_kernel(const int* in, int* out, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const auto four = __builtin_ia32_loaddqu((const char*)(in + (i > 0 ? i - 1 : 0)));
  out[i] = in[i] - (i > 0 ? ((const int*)&four)[0] : 0);
}

void diff(const int* in, int* out, int n) {
  if (n > 0) diff_kernel<<<(n + 255) / 256, 256>>>(in, out, n);
}
