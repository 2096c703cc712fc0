// CAUSE: The tile is filled, but the scan reads points[j] from global memory instead of tile[k]. So each thread still loads all n points.
// LINES: 38
// REPAIR: line 38: `squared_distance(own, points[j])` -> `squared_distance(own, tile[k])`
// GOOD HINT: You bring each point to shared memory. Where in the scan do you read it back from there?
// SYMPTOM: Results right, but as many loads from global memory as the baseline, and more (the tile on top).
#include <cfloat>

#include "nearest_neighbor.h"

namespace {

constexpr int block = 256;

__device__ float squared_distance(float3 a, float3 b) {
  const float dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
  return dx * dx + dy * dy + dz * dz;
}

__global__ void nearest_kernel(const float3* points, int* nearest, int n) {
  __shared__ float3 tile[block];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * block + tx;

  // A thread past the end has no point of its own, but it helps to load, so it must not return yet.
  const float3 own = i < n ? points[i] : float3{};
  float best = FLT_MAX;
  int best_index = -1;

  for (int first = 0; first < n; first += block) {
    if (first + tx < n) tile[tx] = points[first + tx];

    __syncthreads();

    for (int k = 0; k < block; ++k) {
      const int j = first + k;
      if (j >= n) break;
      if (j == i) continue;
      const float distance = squared_distance(own, points[j]);
      if (distance < best) {
        best = distance;
        best_index = j;
      }
    }

    __syncthreads();
  }

  if (i < n) nearest[i] = best_index;
}

}  // namespace

void nearest_neighbor(const float3* points, int* nearest, int n) {
  if (n == 0) return;
  const int grid = (n + block - 1) / block;
  nearest_kernel<<<grid, block>>>(points, nearest, n);
}
