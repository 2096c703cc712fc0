// CAUSE: Only thread 0 of the block fetches its left neighbor from memory, but lane 0 of every warp has to: __shfl_up_sync gives it its own value back.
// LINES: 23
// REPAIR: line 23: `if (threadIdx.x == 0) left = i > 0 ? in[i - 1] : 0;` -> `if (threadIdx.x % 32 == 0) left = i > 0 ? in[i - 1] : 0;`
// SYMPTOM: Elements 32, 64, 96, ... (the first of each warp but the block's first) come out as 0; all others are right.
#include "diff.h"

namespace {

constexpr int block = 256;
constexpr unsigned all_lanes = 0xffffffffu;

// No tile: the left neighbor comes from the lane below.
__global__ void diff_kernel(const int* __restrict__ in, int* __restrict__ out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  int mine = 0;
  if (i < n) mine = in[i];

  // all lanes take part, also those past the end
  int left = __shfl_up_sync(all_lanes, mine, 1);

  if (i < n) {
    if (threadIdx.x == 0) left = i > 0 ? in[i - 1] : 0;
    out[i] = mine - left;
  }
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n <= 0) return;
  const dim3 grid((n + block - 1) / block);
  diff_kernel<<<grid, block>>>(in, out, n);
}
