// CAUSE: The difference is stored back into the tile, so the neighbor on the right, which needs the element itself, may find the difference in its place.
// LINES: 21, 22, 23
// REPAIR: line 21: `tile[tx] -= tile[tx - 1];` -> `out[i] = tile[tx] - tile[tx - 1];`; line 22: `tile[tx] -= in[i - 1];` -> `out[i] = tile[tx] - in[i - 1];`; line 23: `out[i] = tile[tx];` -> `else out[i] = tile[tx];`
// GOOD HINT: After the barrier your threads not only read the tile. Who else needs the slot that thread tx changes, and when does it look?
// SYMPTOM: A data race between tile[tx] -= and the neighbor's read; on a GPU mostly right within a warp and wrong at the borders of warps (or the other way around), differing from run to run.

#include "diff.h"

constexpr int block = 256;

__global__ void diff_kernel(const int* in, int* out, int n) {
  __shared__ int tile[block];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * block + tx;

  if (i < n) tile[tx] = in[i];
  __syncthreads();

  if (i < n) {
    // subtract the left neighbor, if there is one
    if (tx > 0) tile[tx] -= tile[tx - 1];
    else if (i > 0) tile[tx] -= in[i - 1];
    out[i] = tile[tx];
  }
}

void diff(const int* in, int* out, int n) {
  if (n == 0) return;
  int blocks = n / block;
  if (n % block > 0) blocks += 1;
  diff_kernel<<<blocks, block>>>(in, out, n);
}
