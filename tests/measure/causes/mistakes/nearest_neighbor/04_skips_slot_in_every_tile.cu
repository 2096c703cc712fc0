// CAUSE: The own point is recognized by its slot (k != tx) instead of by its index. So in every tile the thread skips the point in slot tx, not only in the tile of its own block.
// LINES: 36
// REPAIR: line 36: `k != tx` -> `first + k != i`
// GOOD HINT: How many points does a thread leave out when there are three tiles? Which one should it leave out, and in which tile is that?
// SYMPTOM: Right up to n = block. Above, a point whose nearest neighbor is a multiple of 64 away in the index gets a wrong answer: few wrong results in random points.
// nearest neighbor, tiled
#include <cfloat>

#include "nearest_neighbor.h"

constexpr int block = 64;

__device__ float squared_distance(float3 a, float3 b) {
  float dx = a.x - b.x;
  float dy = a.y - b.y;
  float dz = a.z - b.z;
  return dx * dx + dy * dy + dz * dz;
}

__global__ void nearest_kernel(const float3* points, int* nearest, int n) {
  __shared__ float3 tile[block];
  int tx = threadIdx.x;
  int i = blockIdx.x * block + tx;
  float3 own = i < n ? points[i] : float3{};
  float best = FLT_MAX;
  int best_index = -1;

  for (int first = 0; first < n; first += block) {
    if (first + tx < n) tile[tx] = points[first + tx];
    __syncthreads();

    int count = n - first;
    if (count > block) count = block;
    for (int k = 0; k < count; ++k) {
      float d = squared_distance(own, tile[k]);
      if (k != tx && d < best) {
        best = d;
        best_index = first + k;
      }
    }

    __syncthreads();
  }

  if (i < n) nearest[i] = best_index;
}

void nearest_neighbor(const float3* points, int* nearest, int n) {
  if (n == 0) return;
  nearest_kernel<<<(n + block - 1) / block, block>>>(points, nearest, n);
}
