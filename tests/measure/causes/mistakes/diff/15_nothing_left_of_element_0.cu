// CAUSE: slot 0 is filled only if there is a left neighbor; for element 0 it holds whatever was there
// LINES: 20
// REPAIR: set cache[0] to 0 if i is 0
// GOOD HINT: What is in cache[0] of the first block?
// SYMPTOM: out[0] is wrong or a read of memory that nobody wrote

#include "diff.h"

namespace {

constexpr int threads = 256;

__global__ void diff_kernel(const int* in, int* out, int n) {
  // one slot more than threads: slot 0 is the left neighbor of the block
  __shared__ int cache[threads + 1];
  const int t = threadIdx.x;
  const int i = blockIdx.x * threads + t;

  if (i < n) cache[t + 1] = in[i];
  if (t == 0 && i > 0) cache[0] = in[i - 1];

  __syncthreads();

  if (i < n) out[i] = cache[t + 1] - cache[t];
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n > 0) diff_kernel<<<(n + threads - 1) / threads, threads>>>(in, out, n);
}
