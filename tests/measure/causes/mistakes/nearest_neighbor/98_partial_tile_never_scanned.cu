// CAUSE: The number of tiles is n / tile_size, rounded down, so the points of the last tile are never searched if it is not full.
// LINES: 72
// REPAIR: line 72: `const int tiles = n / tile_size;` -> `const int tiles = blocks;`
// SYMPTOM: The last n mod 128 points are nobody's nearest neighbor; for n < 128 all answers are -1.

#include <cfloat>
#include <cmath>

#include "nearest_neighbor.h"

namespace {

constexpr int tile_size = 128;
constexpr int group = 16;
static_assert(tile_size % group == 0);

__device__ __forceinline__ float distance2(float3 p, float x, float y, float z) {
  const float dx = p.x - x, dy = p.y - y, dz = p.z - z;
  return fmaf(dx, dx, fmaf(dy, dy, dz * dz));
}

// While it searches, a thread only notes which group of 16 has the least distance.
__global__ void nearest_kernel(const float3* points, int* nearest, int n, int tiles) {
  __shared__ float x[tile_size], y[tile_size], z[tile_size];
  const int t = threadIdx.x;
  const int i = blockIdx.x * tile_size + t;
  const float3 own = i < n ? points[i] : make_float3(0, 0, 0);
  float best = FLT_MAX;
  int best_group = -1;

  for (int number = 0; number < tiles; ++number) {
    const int first = number * tile_size;
    const bool exists = first + t < n;
    x[t] = exists ? points[first + t].x : INFINITY;
    y[t] = exists ? points[first + t].y : INFINITY;
    z[t] = exists ? points[first + t].z : INFINITY;
    __syncthreads();

    for (int g = 0; g < tile_size; g += group) {
      float least = INFINITY;
#pragma unroll
      for (int k = g; k < g + group; ++k) {
        const float d = distance2(own, x[k], y[k], z[k]);
        least = fminf(least, first + k == i ? INFINITY : d);
      }
      if (least < best) {
        best = least;
        best_group = first + g;
      }
    }
    __syncthreads();
  }

  if (i >= n) return;
  int index = -1;
  if (best_group >= 0) {
    float least = FLT_MAX;
    for (int j = best_group; j < min(best_group + group, n); ++j) {
      if (j == i) continue;
      const float d = distance2(own, points[j].x, points[j].y, points[j].z);
      if (d < least) least = d, index = j;
    }
  }
  nearest[i] = index;
}

}  // namespace

void nearest_neighbor(const float3* points, int* nearest, int n) {
  if (n == 0) return;
  const int blocks = (n + tile_size - 1) / tile_size;
  const int tiles = n / tile_size;
  nearest_kernel<<<blocks, tile_size>>>(points, nearest, n, tiles);
}
