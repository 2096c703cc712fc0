// CAUSE: FLT_MIN is the smallest positive float, so hardly any distance is below it; the search has to begin with the largest, FLT_MAX. And the number of points in the last tile is computed from n alone, which is right in the first tile only: n - first points are left.
// LINES: 24 31
// REPAIR: line 24: `float best = FLT_MIN;` -> `float best = FLT_MAX;`; line 31: `const int count = n < block ? n : block;` -> `const int count = n - first < block ? n - first : block;`
// SYMPTOM: Nearly all answers are -1; and in the last tile the threads scan slots that hold points of the tile before, or nothing.

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
  float best = FLT_MIN;
  int best_index = -1;

  for (int first = 0; first < n; first += block) {
    if (first + tx < n) tile[tx] = points[first + tx];
    __syncthreads();

    const int count = n < block ? n : block;
    for (int j = 0; j < count; ++j) {
      const float distance = squared_distance(own, tile[j]);
      if (first + j != i && distance < best) {
        best = distance;
        best_index = first + j;
      }
    }
    __syncthreads();
  }

  if (i < n) nearest[i] = best_index;
}

}  // namespace

void nearest_neighbor(const float3* points, int* nearest, int n) {
  if (n == 0) return;
  const int blocks = (n + block - 1) / block;
  nearest_kernel<<<blocks, block>>>(points, nearest, n);
}
