// CAUSE: Two mistakes: there is no barrier between filling the tile and reading the neighbor's slot; and thread 0 of every block is treated as if its element had no left neighbor, which is true only for element 0.
// LINES: after 20, 24
// REPAIR: insert `  __syncthreads();` after line 20; line 24: `out[i] = tile[0];` -> `out[i] = i > 0 ? tile[0] - in[i - 1] : tile[0];`
// GOOD HINT: First: how does a thread know that its neighbor has filled its slot? Then: which element does thread 0 of block 1 have, and has it a left neighbor?
// SYMPTOM: A data race in each block, wrong results now and then; and out[256], out[512], ... are always wrong (they equal in[i]).

// Lab `diff`

#include "diff.h"

namespace {

constexpr int block = 256;

__global__ void diff_kernel(const int* in, int* out, int n) {
  __shared__ int tile[block];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * block + tx;

  if (i < n) tile[tx] = in[i];

  if (i < n) {
    if (tx == 0) {
      out[i] = tile[0];  // no left neighbor in the tile
    } else {
      out[i] = tile[tx] - tile[tx - 1];
    }
  }
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n > 0) diff_kernel<<<(n + block - 1) / block, block>>>(in, out, n);
}
