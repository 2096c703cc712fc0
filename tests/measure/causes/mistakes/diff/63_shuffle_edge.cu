// CAUSE: A shuffle does not reach other warps, but only thread 0 of the block takes its left neighbor from global memory; lane 0 of each other warp gets its own last element back.
// LINES: 23
// REPAIR: if (t % 32 == 0)
// SYMPTOM: Every 128th difference is wrong (elements 128, 256, ... except those at a block's start).

#include "diff.h"

namespace {

constexpr int block = 256;

// Four elements per thread, no tile.
__global__ void diff_kernel(const int* in, int* out, int n) {
  const int t = threadIdx.x;
  const int v = blockIdx.x * block + t;  // which int4 is mine
  const int first = 4 * v;
  const int whole = n / 4;

  int4 mine = make_int4(0, 0, 0, 0);
  if (v < whole) mine = reinterpret_cast<const int4*>(in)[v];

  int left = __shfl_up_sync(0xffffffffu, mine.w, 1);
  if (t == 0) {
    left = 0;
    if (first > 0 && first < n) left = in[first - 1];
  }

  if (v < whole) {
    reinterpret_cast<int4*>(out)[v] =
        make_int4(mine.x - left, mine.y - mine.x, mine.z - mine.y, mine.w - mine.z);
  } else if (v == whole) {
    // what is left, at most three elements
    for (int i = first; i < n; ++i) {
      const int now = in[i];
      out[i] = now - left;
      left = now;
    }
  }
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n == 0) return;
  const int vectors = (n + 3) / 4;
  diff_kernel<<<(vectors + block - 1) / block, block>>>(in, out, n);
}
