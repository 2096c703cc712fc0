// CAUSE: The first thread of every block is treated as if it had element 0, which has no left neighbor; in all blocks but the first its neighbor is in another block's part.
// LINES: 23
// REPAIR: out[i] = i == 0 ? own : own - in[i - 1];
// SYMPTOM: out[256], out[512] and so on (the first of each block but block 0) are in[i] instead of the difference.
#include "diff.h"

namespace {

constexpr int block = 256;

__global__ void diff_kernel(const int* in, int* out, int n) {
  __shared__ int tile[block];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * block + tx;

  int own = 0;
  if (i < n) own = in[i];
  tile[tx] = own;
  __syncthreads();

  if (i >= n) return;
  if (tx == 0) {
    out[i] = own;
  } else {
    out[i] = own - tile[tx - 1];
  }
}

}  // namespace

void diff(const int* in, int* out, int n) {
  const int blocks = (n + block - 1) / block;
  if (blocks > 0) {
    diff_kernel<<<blocks, block>>>(in, out, n);
  }
}
