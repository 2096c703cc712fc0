// Thread 0 of a block treats its element as if it were the first of the row. Its left neighbor is
// in another block's tile and has to come from global memory.
// Test: diff is right over many blocks
// Says: The index of each wrong element is a multiple of 256
// Task: 4

#include "diff.h"

namespace {

constexpr int block = 256;

__global__ void diff_kernel(const int* in, int* out, int n) {
  __shared__ int tile[block];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * block + tx;
  if (i < n) tile[tx] = in[i];
  __syncthreads();
  if (i < n) out[i] = tx > 0 ? tile[tx] - tile[tx - 1] : tile[tx];
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n > 0) diff_kernel<<<(n + block - 1) / block, block>>>(in, out, n);
}
