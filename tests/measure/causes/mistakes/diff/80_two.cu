// CAUSE: (1) Element 0 has no left neighbor, but thread 0 of block 0 subtracts in[-1]. (2) The numbers of blocks and of threads per block are swapped in the launch.
// LINES: 24 36
// REPAIR: (1) } else if (i > 0) { (2) diff_kernel<<<blocks, kThreads>>>(in, out, n);
// SYMPTOM: (1) A read in front of the array, and out[0] is wrong. (2) Elements are left out, and for large n the launch fails with too many threads per block.

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
    int left = 0;
    if (tx > 0) {
      left = s[tx - 1];
    } else {
      left = in[i - 1];
    }
    out[i] = s[tx] - left;
  }
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n == 0) return;
  const int blocks = (n + kThreads - 1) / kThreads;
  diff_kernel<<<kThreads, blocks>>>(in, out, n);
}
