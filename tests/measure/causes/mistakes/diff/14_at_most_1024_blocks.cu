// CAUSE: The number of blocks is cut to 1024, which is the limit for the threads of a block and not for the blocks of a grid, so the elements from 262,144 on have no thread.
// LINES: 39
// REPAIR: delete line 39, `if (blocks > 1024) blocks = 1024;  // not more than the device allows`
// GOOD HINT: How many elements do your blocks cover together at most? Which of the two numbers in a launch is limited to 1024?
// SYMPTOM: Right up to n = 262,144. Beyond that out[262144] and all after it are not written.

// Lab `diff`: each element is loaded once

#include "diff.h"

namespace {

constexpr int block = 256;

__global__ void diff_kernel(const int* in, int* out, int n) {
  __shared__ int tile[block];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * block + tx;
  const bool inside = i < n;

  if (inside) tile[tx] = in[i];
  __syncthreads();
  if (!inside) return;

  int left = 0;
  if (tx > 0) {
    left = tile[tx - 1];
  } else if (i > 0) {
    left = in[i - 1];
  }
  out[i] = tile[tx] - left;
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n == 0) return;
  int blocks = (n + block - 1) / block;
  if (blocks > 1024) blocks = 1024;  // not more than the device allows
  diff_kernel<<<blocks, block>>>(in, out, n);
}
