// CAUSE: Of equally near points the last one is kept, because the comparison allows equality. And the third component of the tile is filled with y once more.
// LINES: 35 43
// REPAIR: line 35: `other[Y];` -> `other[Z];`; line 43: `d <= record` -> `d < record`
// SYMPTOM: Wrong neighbors, and of equally near points not the one with the lowest index.

#include <cooperative_groups.h>

#include <cfloat>

#include "nearest_neighbor.h"

namespace cg = cooperative_groups;

static constexpr int kTile = 256;
static constexpr int kThreads = 64;
enum { X, Y, Z, kAxes };

static __global__ void search(const float* __restrict__ coordinate, int* __restrict__ result,
                              int count) {
  __shared__ float cache[kAxes * kTile];
  const auto team = cg::this_thread_block();
  const int rank = team.thread_rank();
  const int me = blockIdx.x * kThreads + rank;
  const float* mine = coordinate + kAxes * (me < count ? me : 0);
  const float x = mine[X], y = mine[Y], z = mine[Z];

  float record = FLT_MAX;
  int holder = -1;
  for (int base = 0; base < count; base += kTile) {
    const int filled = min(kTile, count - base);
    for (int s = rank; s < filled; s += kThreads) {
      const float* other = coordinate + kAxes * (base + s);
      cache[X * kTile + s] = other[X];
      cache[Y * kTile + s] = other[Y];
      cache[Z * kTile + s] = other[Y];
    }
    team.sync();
    for (int s = 0; s < filled; ++s) {
      const float dx = cache[X * kTile + s] - x;
      const float dy = cache[Y * kTile + s] - y;
      const float dz = cache[Z * kTile + s] - z;
      const float d = fmaf(dx, dx, fmaf(dy, dy, dz * dz));
      const bool better = d <= record && base + s != me;
      record = better ? d : record;
      holder = better ? base + s : holder;
    }
    team.sync();
  }
  if (me < count) result[me] = holder;
}

void nearest_neighbor(const float3* points, int* nearest, int n) {
  const int grid = (n + kThreads - 1) / kThreads;
  if (grid > 0) search<<<grid, kThreads>>>(&points->x, nearest, n);
}
