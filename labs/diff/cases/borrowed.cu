// One line of this file is at fault: `./tilelab detective diff borrowed`.

#include "diff.h"

namespace {

constexpr int block = 256;

__global__ void diff_kernel(const int* in, int* out, int n) {
  __shared__ int tile[block];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * block + tx;
  if (i < n) tile[tx] = in[i];
  __syncthreads();

  if (i >= n) return;
  int left = 0;  // of element 0
  if (tx > 0) {
    left = in[i - 1];
  } else if (i > 0) {
    left = in[blockIdx.x * block - 1];
  }
  out[i] = tile[tx] - left;
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n > 0) diff_kernel<<<(n + block - 1) / block, block>>>(in, out, n);
}
