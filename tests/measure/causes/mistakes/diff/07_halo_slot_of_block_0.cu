// CAUSE: Slot 0 of the tile, for the left neighbor of the block, is not filled in block 0, which has no left neighbor, but thread 0 subtracts it all the same.
// LINES: 19
// REPAIR: line 19: `if (tx == 0 && i > 0) tile[0] = in[i - 1];` -> `if (tx == 0) tile[0] = i > 0 ? in[i - 1] : 0;`
// GOOD HINT: Which number does thread 0 of block 0 subtract from in[0]? Who has put it there?
// SYMPTOM: out[0] is wrong, or right by luck if the slot happens to hold 0: a read of shared memory that nobody wrote. All other elements are right.

#include "diff.h"

namespace {

constexpr int block = 256;

__global__ void diff_kernel(const int* in, int* out, int n) {
  __shared__ int tile[block + 1];  // slot 0 has the left neighbor of the whole block
  const int tx = threadIdx.x;
  const int i = blockIdx.x * block + tx;

  if (i < n) tile[tx + 1] = in[i];
  if (tx == 0 && i > 0) tile[0] = in[i - 1];
  __syncthreads();

  // now every thread does the same
  if (i < n) out[i] = tile[tx + 1] - tile[tx];
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n > 0) {
    const int grid = (n + block - 1) / block;
    diff_kernel<<<grid, block>>>(in, out, n);
  }
}
