// CAUSE: The first lane loads its left neighbor after the store instead of before it, so the store still has what the shuffle brought, which is the lane's own element.
// LINES: 18 20
// REPAIR: delete line 18: `out[i] = own - left;`; before line 20: add `out[i] = own - left;`
// SYMPTOM: The difference at the beginning of each warp is 0.

#include "diff.h"

namespace {

constexpr int block = 256;
constexpr unsigned all = 0xffffffff;

__global__ void diff_kernel(const int* in, int* out, int n) {
  const int i = blockIdx.x * block + threadIdx.x, lane = threadIdx.x % 32;
  const int own = i < n ? in[i] : 0;
  int left = __shfl_up_sync(all, own, 1);
  if (i >= n) return;
  out[i] = own - left;
  if (lane == 0) left = i > 0 ? in[i - 1] : 0;
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n > 0) diff_kernel<<<(n + block - 1) / block, block>>>(in, out, n);
}
