// CAUSE: Only thread 0 of the block loads its left neighbor, but the shuffle brings nothing to the first lane of any warp: it gets its own element back.
// LINES: 18
// REPAIR: line 18: `threadIdx.x == 0` -> `lane == 0`
// SYMPTOM: Elements 32, 64, 96 and so on of each block are 0.

#include "diff.h"

namespace {

constexpr int block = 256;
constexpr unsigned all = 0xffffffff;

__global__ void diff_kernel(const int* in, int* out, int n) {
  const int i = blockIdx.x * block + threadIdx.x, lane = threadIdx.x % 32;
  const int own = i < n ? in[i] : 0;
  int left = __shfl_up_sync(all, own, 1);
  if (i >= n) return;
  if (threadIdx.x == 0) left = i > 0 ? in[i - 1] : 0;
  out[i] = own - left;
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n > 0) diff_kernel<<<(n + block - 1) / block, block>>>(in, out, n);
}
