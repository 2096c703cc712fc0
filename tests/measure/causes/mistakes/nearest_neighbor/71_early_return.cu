// CAUSE: Threads past the end return before the loop, so in the last block nobody loads their slots of the tiles, and they are missing at the barriers.
// LINES: 22 24 44
// REPAIR: delete the early return; const float3 own = i < n ? points[i] : float3{}; and at the end if (i < n) nearest[i] = best_index;
// SYMPTOM: If n is larger than a block and no multiple of it, the last block scans slots that were never filled: wrong neighbors there, uninitialized reads, a barrier that not all threads reach.
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

    const int count = min(block, n - first);
    for (int k = 0; k < count; ++k) {
      const int j = first + k;
      const float d = squared_distance(own, tile[k]);
      if (j != i && d < best) {
        best = d;
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
