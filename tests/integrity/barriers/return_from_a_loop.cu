// Threads store their element and return from inside a loop with barriers. They end there, and
// never reach what the others do after the barrier.
// Lab: diff
// Verdict: graded
// Earns: correctness 40, safety 10
// Says: threads of block

#include "diff.h"

__global__ void diff_kernel(const int* in, int* out, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  for (int round = 0; round < 4; ++round) {
    if (round == static_cast<int>(threadIdx.x % 5)) {
      out[i] = i == 0 ? in[0] : in[i] - in[i - 1];
      return;
    }
    __syncthreads();
  }
  out[i] = i == 0 ? in[0] : in[i] - in[i - 1];
}

void diff(const int* in, int* out, int n) {
  if (n > 0) diff_kernel<<<(n + 255) / 256, 256>>>(in, out, n);
}
