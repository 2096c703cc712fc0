// CAUSE: The tile is accessed with i, the index in the whole row, but a block's tile has only 256 slots, with the numbers of the block's threads.
// LINES: 17, 25, 27
// REPAIR: line 17: `tile[i]` -> `tile[tx]`; line 25: `tile[i - 1]` -> `tile[tx - 1]`; line 27: `tile[i]` -> `tile[tx]`
// GOOD HINT: How large is your tile, and which slot does the first thread of block 1 fill?
// SYMPTOM: Right for n <= 256. Beyond that, shared memory is accessed out of bounds: crash, report of the checked build, or garbage.

#include "diff.h"

constexpr int block = 256;

__global__ void diff_kernel(const int* in, int* out, int n) {
  __shared__ int tile[block];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * block + tx;

  // fill the tile
  if (i < n) tile[i] = in[i];

  // wait
  __syncthreads();

  // subtract
  if (i < n) {
    int left = 0;
    if (tx > 0) left = tile[i - 1];
    if (tx == 0 && i > 0) left = in[i - 1];
    out[i] = tile[i] - left;
  }
}

void diff(const int* in, int* out, int n) {
  if (n == 0) return;
  diff_kernel<<<(n + block - 1) / block, block>>>(in, out, n);
}
