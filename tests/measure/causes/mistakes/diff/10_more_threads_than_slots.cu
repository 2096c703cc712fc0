// CAUSE: The host launches blocks of 512 threads, but the tile has only 256 slots, so the second half of each block accesses shared memory past the end.
// LINES: 31
// REPAIR: line 31: `512` -> `block`
// GOOD HINT: How many threads does your launch give each block, and how many slots does its tile have?
// SYMPTOM: Out-of-bounds access of shared memory as soon as n > 256 (threads 256 to 511): crash, report of the checked build, or garbage. Right for n <= 256.

#include "diff.h"

namespace {

constexpr int block = 256;

__global__ void diff_kernel(const int* in, int* out, int n) {
  __shared__ int tile[block];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + tx;

  if (i < n) tile[tx] = in[i];
  __syncthreads();
  if (i < n) {
    if (i == 0) out[i] = tile[tx];
    else if (tx == 0) out[i] = tile[tx] - in[i - 1];
    else out[i] = tile[tx] - tile[tx - 1];
  }
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n == 0) return;
  const int threads = 512;
  const int blocks = (n + threads - 1) / threads;
  diff_kernel<<<blocks, threads>>>(in, out, n);
}
