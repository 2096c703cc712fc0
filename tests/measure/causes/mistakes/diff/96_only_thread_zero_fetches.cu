// CAUSE: Only thread 0 of the block fetches its left neighbor from memory, but __shfl_up_sync gives lane 0 of every warp its own value back.
// LINES: 21
// REPAIR: line 21: `if (threadIdx.x == 0) left = i > 0 && i < n ? in[i - 1] : 0;` -> `if (lane == 0) left = i > 0 && i < n ? in[i - 1] : 0;`
// SYMPTOM: out[i] is 0 for the first element of every warp but the first of a block (i = 32, 64, 96, ...), in blocks of 256.

#include "diff.h"

// One element per thread; the left neighbor comes from the lane below, so no tile is needed.

namespace {

constexpr int block = 256;
constexpr unsigned all_lanes = 0xffffffffu;

__global__ void diff_kernel(const int* __restrict__ in, int* __restrict__ out, int n) {
  const int i = blockIdx.x * block + threadIdx.x;
  const int lane = threadIdx.x % warpSize;

  const int mine = i < n ? in[i] : 0;
  int left = __shfl_up_sync(all_lanes, mine, 1);
  if (threadIdx.x == 0) left = i > 0 && i < n ? in[i - 1] : 0;

  if (lane == 0 && i == 0) left = 0;
  if (i < n) out[i] = mine - left;
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n <= 0) return;
  const int blocks = (n + block - 1) / block;
  diff_kernel<<<blocks, block>>>(in, out, n);
}
