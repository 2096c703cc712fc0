// CAUSE: only the first thread of the block fetches its left neighbor; the first lane of every other warp gets its own element from the shuffle
// LINES: 18
// REPAIR: test lane == 0, not threadIdx.x == 0
// GOOD HINT: What does __shfl_up_sync return in lane 0 of the second warp?
// SYMPTOM: every 32nd element is wrong, but for the first of each block

#include "diff.h"

namespace {

constexpr int threads = 256;

// No tile: the lane below has the left neighbor in a register.
__global__ void diff_kernel(const int* in, int* out, int n) {
  const int idx = blockIdx.x * threads + threadIdx.x;
  const int mine = idx < n ? in[idx] : 0;
  int left = __shfl_up_sync(0xffffffff, mine, 1);
  if (threadIdx.x == 0) left = idx > 0 && idx < n ? in[idx - 1] : 0;
  if (idx < n) out[idx] = mine - left;
}

}  // namespace

void diff(const int* in, int* out, int n) {
  const int blocks = (n + threads - 1) / threads;
  if (blocks > 0) diff_kernel<<<blocks, threads>>>(in, out, n);
}
