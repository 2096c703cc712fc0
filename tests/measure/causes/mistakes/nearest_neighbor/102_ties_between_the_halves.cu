// CAUSE: Two threads share a point, each with half of every tile. When their results are merged, the lower index has to win among equal distances, but that of thread 0 of the pair always does.
// LINES: 49
// REPAIR: line 49: `const bool is_better = d < best;` -> `const bool is_better = d < best || (d == best && indices[own] < index);`
// SYMPTOM: A higher index than expected where points are equally near.

#include <cfloat>

#include "nearest_neighbor.h"

namespace {

constexpr int points_per_block = 64;
constexpr int half = 32;           // of a tile of 64, for each of the two
constexpr int tile_size = 2 * half;

__global__ void pairs_kernel(const float3* points, int* nearest, int n) {
  __shared__ float3 tile[tile_size];
  __shared__ float distances[points_per_block];
  __shared__ int indices[points_per_block];
  const int own = threadIdx.x, part = threadIdx.y;
  const int i = blockIdx.x * points_per_block + own;
  const float3 p = points[i < n ? i : n - 1];
  float best = FLT_MAX;
  int index = -1;

  for (int first = 0; first < n; first += tile_size) {
    if (part == 0 && first + own < n) tile[own] = points[first + own];
    __syncthreads();
    const int begin = part * half;
    for (int s = begin; s < begin + half && first + s < n; ++s) {
      const int j = first + s;
      const float dx = tile[s].x - p.x, dy = tile[s].y - p.y, dz = tile[s].z - p.z;
      const float d = dx * dx + dy * dy + dz * dz;
      if (j != i && d < best) {
        best = d;
        index = j;
      }
    }
    __syncthreads();
  }

  if (part == 1) {
    distances[own] = best;
    indices[own] = index;
  }
  __syncthreads();
  if (part == 0 && i < n) {
    const float d = distances[own];
    const bool is_better = d < best;
    nearest[i] = is_better ? indices[own] : index;
  }
}

}  // namespace

void nearest_neighbor(const float3* points, int* nearest, int n) {
  if (n == 0) return;
  const dim3 block(points_per_block, 2);
  pairs_kernel<<<(n + points_per_block - 1) / points_per_block, block>>>(points, nearest, n);
}
