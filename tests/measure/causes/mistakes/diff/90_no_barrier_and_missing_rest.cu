// CAUSE: There is no barrier between the loads into the tile and the first read from it. And the grid is rounded down, so the elements of the last tile that is not full get no block.
// LINES: 21 33
// REPAIR: before line 21: add `team.sync();`; line 33: `n / kSpan` -> `(n + kSpan - 1) / kSpan`
// SYMPTOM: Data races in the tile, and the last elements of the row are not written.

#include <cooperative_groups.h>

#include "diff.h"

namespace cg = cooperative_groups;

template <int kThreads, int kEach>
static __global__ void adjacent(const int* __restrict__ src, int* __restrict__ dst, int length) {
  constexpr int kSpan = kThreads * kEach;
  extern __shared__ int cache[];
  const auto team = cg::this_thread_block();
  const int origin = blockIdx.x * kSpan, me = team.thread_rank();
  const int filled = min(kSpan, length - origin);

  for (int s = me; s < filled; s += kThreads) cache[s] = src[origin + s];
  for (int s = me; s < filled; s += kThreads) {
    int before = 0;
    if (s > 0)
      before = cache[s - 1];
    else if (origin > 0)
      before = src[origin - 1];
    dst[origin + s] = cache[s] - before;
  }
}

void diff(const int* in, int* out, int n) {
  constexpr int kThreads = 128, kEach = 4, kSpan = kThreads * kEach;
  const int grid = n / kSpan;
  if (grid == 0) return;
  adjacent<kThreads, kEach><<<grid, kThreads, kSpan * sizeof(int)>>>(in, out, n);
}
