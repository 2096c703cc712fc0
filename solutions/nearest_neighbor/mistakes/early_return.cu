// Threads past the end return before the barrier, so they do not load their slots of the tiles: the
// last block sees only some of the points.
// Test: nearest_neighbor is right over many tiles
// Says: the block that has more threads than points left
// Task: 2 or 3

#include <cfloat>

#include "nearest_neighbor.h"

namespace {

constexpr int block = 128;

__device__ float squared_distance(float3 a, float3 b) {
  const float dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
  return dx * dx + dy * dy + dz * dz;
}

__global__ void nearest_kernel(const float3* points, int* nearest, int n) {
  __shared__ float3 tile[block];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * block + tx;
  if (i >= n) return;
  const float3 own = points[i];
  float best = FLT_MAX;
  int best_index = -1;

  for (int first = 0; first < n; first += block) {
    if (first + tx < n) tile[tx] = points[first + tx];
    __syncthreads();
    for (int k = 0; k < block && first + k < n; ++k) {
      const int j = first + k;
      const float distance = squared_distance(own, tile[k]);
      if (j != i && distance < best) {
        best = distance;
        best_index = j;
      }
    }
    __syncthreads();
  }

  nearest[i] = best_index;
}

}  // namespace

void nearest_neighbor(const float3* points, int* nearest, int n) {
  if (n > 0) nearest_kernel<<<(n + block - 1) / block, block>>>(points, nearest, n);
}
