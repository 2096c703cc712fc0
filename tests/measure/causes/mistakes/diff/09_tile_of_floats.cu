// CAUSE: The tile is an array of float, but the elements are int, and a float holds whole numbers exactly only up to 2^24.
// LINES: 14
// REPAIR: line 14: `__shared__ float` -> `__shared__ int`
// GOOD HINT: The error grows with the size of the numbers, not with n. Follow one large element from in to out: is it stored anywhere as something else?
// SYMPTOM: Right for small numbers. For elements beyond 2^24 in magnitude the differences are rounded, and differences that should wrap do not. No race, no crash.

#include "diff.h"

namespace {

constexpr int block = 256;

__global__ void diff_kernel(const int* in, int* out, int n) {
  __shared__ float tile[block];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * block + tx;

  if (i < n) tile[tx] = in[i];
  __syncthreads();
  if (i >= n) return;

  if (tx > 0) {
    out[i] = tile[tx] - tile[tx - 1];
  } else if (i > 0) {
    out[i] = tile[0] - in[i - 1];
  } else {
    out[i] = tile[0];
  }
}

}  // namespace

void diff(const int* in, int* out, int n) {
  const int blocks = (n + block - 1) / block;
  if (blocks > 0) diff_kernel<<<blocks, block>>>(in, out, n);
}
