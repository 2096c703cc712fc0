// CAUSE: The own point is recognized by its distance 0 instead of by its index. Other points in the same place have distance 0, too, and are left out.
// LINES: 33
// REPAIR: line 33: `d > 0.0f` -> `j != i`
// GOOD HINT: You take a distance of 0 as the sign that a thread met its own point. Can another point have this distance? What identifies the own point for certain?
// SYMPTOM: Wrong where two points are in one place: the answer is a farther point, or -1 if all are in one place. Random points are right.
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
  const float3 own = i < n ? points[i] : float3{};
  float best = FLT_MAX;
  int best_index = -1;

  for (int first = 0; first < n; first += block) {
    if (first + tx < n) tile[tx] = points[first + tx];
    __syncthreads();
    const int last = first + block < n ? first + block : n;
    for (int j = first; j < last; ++j) {
      const float d = squared_distance(own, tile[j - first]);
      if (d > 0.0f && d < best) {
        best = d;
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
