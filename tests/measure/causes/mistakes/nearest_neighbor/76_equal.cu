// CAUSE: With <= the later of two equally near points wins, but the lowest index counts.
// LINES: 34
// REPAIR: if (distance < best) {
// SYMPTOM: Where several points are equally near, the answer is the highest of their indices.

#include <cfloat>

#include "nearest_neighbor.h"

namespace {

constexpr int block = 128;

__global__ void nearest_kernel(const float3* points, int* nearest, int n) {
  __shared__ float3 tile[block];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * block + tx;
  const float3 own = i < n ? points[i] : make_float3(0, 0, 0);
  float best = FLT_MAX;
  int best_index = -1;

  for (int first = 0; first < n; first += block) {
    if (first + tx < n) tile[tx] = points[first + tx];
    __syncthreads();

    const int count = first + block < n ? block : n - first;
    for (int k = 0; k < count; ++k) {
      const int j = first + k;
      if (j == i) continue;
      const float dx = tile[k].x - own.x;
      const float dy = tile[k].y - own.y;
      const float dz = tile[k].z - own.z;
      const float distance = dx * dx + dy * dy + dz * dz;
      if (distance <= best) {
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
