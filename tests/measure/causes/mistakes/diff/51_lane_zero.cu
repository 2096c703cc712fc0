// CAUSE: __shfl_up_sync moves values within a warp only, so lane 0 of every warp has to fetch its left neighbor from memory; the code does that only for thread 0 of the block, and the other lanes 0 keep their own value.
// LINES: 18
// REPAIR: line 18: `if (threadIdx.x == 0 && i > 0 && i < n) left = in[i - 1];` -> `if (threadIdx.x % 32 == 0 && i > 0 && i < n) left = in[i - 1];`
// SYMPTOM: out[i] is 0 at i = 32, 64, 96, ... (every multiple of 32 that is no multiple of 256).
#include "diff.h"

namespace {

constexpr int threads = 256;
constexpr unsigned all_lanes = 0xffffffffu;

// No shared memory: the left neighbor comes from the lane below.
__global__ void diff_shuffle(const int* in, int* out, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  int own = 0;
  if (i < n) own = in[i];
  int left = __shfl_up_sync(all_lanes, own, 1);
  if (threadIdx.x == 0 && i > 0 && i < n) left = in[i - 1];
  if (i < n) out[i] = i == 0 ? own : own - left;
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n == 0) return;
  const int blocks = (n + threads - 1) / threads;
  diff_shuffle<<<blocks, threads>>>(in, out, n);
}
