// CAUSE: A shuffle only reaches lanes of the same warp, so lane 0 of every warp has to load its left neighbor itself. The code does that only for thread 0 of the block; lane 0 of the other warps gets its own value back from __shfl_up_sync.
// LINES: 22
// REPAIR: line 22: `if (threadIdx.x == 0) {` -> `if (threadIdx.x % 32 == 0) {`
// SYMPTOM: Every 32nd element (32, 64, 96, ...) is 0 instead of the difference, except at the beginning of a block.

#include "diff.h"

// No tile: the left neighbor comes from the lane below.

namespace {

const unsigned ALL = 0xffffffffu;

__global__ void diff_shuffle(const int* in, int* out, int n) {
  int gid = blockIdx.x * blockDim.x + threadIdx.x;

  int mine = 0;
  if (gid < n) mine = in[gid];

  int left = __shfl_up_sync(ALL, mine, 1);

  if (threadIdx.x == 0) {
    left = 0;
    if (gid > 0 && gid < n) left = in[gid - 1];
  }

  if (gid < n) out[gid] = mine - left;
}

}  // namespace

void diff(const int* in, int* out, int n) {
  const int perBlock = 512;
  int blocks = (n + perBlock - 1) / perBlock;
  if (blocks == 0) return;
  diff_shuffle<<<blocks, perBlock>>>(in, out, n);
}
