// CAUSE: To avoid bank conflicts (which do not exist here, all lanes read one slot) each thread starts its scan at another slot. So it does not meet the points in ascending order, and the strict < no longer keeps the lowest index of equally near points.
// LINES: 34
// REPAIR: line 34: `(s + tx) % count` -> `s`
// GOOD HINT: Which of two equally near points does your search keep: the one with the lower index, or the one it meets first? When are these the same? And do lanes that read the same slot conflict at all?
// SYMPTOM: Wrong index where points are equally near (grids, points in one place); random points are right. Also several passes of shared memory per read instead of a broadcast.
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

    const int count = min(block, n - first);  // points in this tile
    for (int s = 0; s < count; ++s) {
      // each thread begins at its own slot: no bank conflicts
      const int k = (s + tx) % count;
      const float distance = squared_distance(own, tile[k]);
      if (first + k != i && distance < best) {
        best = distance;
        best_index = first + k;
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
