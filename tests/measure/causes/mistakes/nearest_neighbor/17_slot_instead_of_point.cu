// CAUSE: the number of the slot in the tile is kept, not the number of the point
// LINES: 40
// REPAIR: best_index = j
// GOOD HINT: Which point is in slot 5 of the third tile?
// SYMPTOM: right for up to 128 points, too small indices for more

#include <cfloat>

#include "nearest_neighbor.h"

namespace {

constexpr int BLOCK = 128;

__device__ float dist2(float3 a, float3 b) {
  float dx = a.x - b.x;
  float dy = a.y - b.y;
  float dz = a.z - b.z;
  return dx * dx + dy * dy + dz * dz;
}

__global__ void nearest_kernel(const float3* points, int* nearest, int n) {
  __shared__ float3 tile[BLOCK];
  int tx = threadIdx.x;
  int i = blockIdx.x * BLOCK + tx;
  float3 own = i < n ? points[i] : make_float3(0, 0, 0);
  float best = FLT_MAX;
  int best_index = -1;

  for (int start = 0; start < n; start += BLOCK) {
    if (start + tx < n) tile[tx] = points[start + tx];
    __syncthreads();
    int filled = min(BLOCK, n - start);
    for (int s = 0; s < filled; ++s) {
      int j = start + s;
      if (j == i) continue;
      float d = dist2(own, tile[s]);
      if (d < best) {
        best = d;
        best_index = s;
      }
    }
    __syncthreads();
  }

  if (i < n) nearest[i] = best_index;
}

}  // namespace

void nearest_neighbor(const float3* points, int* nearest, int n) {
  if (n > 0) nearest_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(points, nearest, n);
}
