// CAUSE: the difference in z is taken from z of one point and y of the other
// LINES: 36
// REPAIR: mine.z - zs[s]
// GOOD HINT: Compute the squared distance of (0, 0, 0) and (0, 0, 1) as your loop does.
// SYMPTOM: wrong neighbors nearly everywhere

#include <cfloat>

#include "nearest_neighbor.h"

// three arrays instead of one of float3
__global__ void nn(const float3* points, int* nearest, int n) {
  __shared__ float xs[256], ys[256], zs[256];
  const int t = threadIdx.x;
  const int q = blockIdx.x * 256 + t;
  float3 mine = {};
  if (q < n) mine = points[q];

  int idx = -1;
  float lowest = FLT_MAX;
  const int tiles = (n + 255) / 256;
  for (int tile = 0; tile < tiles; ++tile) {
    const int source = tile * 256 + t;
    if (source < n) {
      const float3 p = points[source];
      xs[t] = p.x;
      ys[t] = p.y;
      zs[t] = p.z;
    }
    __syncthreads();
    for (int s = 0; s < 256 && tile * 256 + s < n; ++s) {
      const int candidate = tile * 256 + s;
      if (candidate == q) continue;
      const float dx = mine.x - xs[s];
      const float dy = mine.y - ys[s];
      const float dz = mine.z - ys[s];
      const float d = dx * dx + dy * dy + dz * dz;
      if (d < lowest) {
        lowest = d;
        idx = candidate;
      }
    }
    __syncthreads();
  }
  if (q < n) nearest[q] = idx;
}

void nearest_neighbor(const float3* points, int* nearest, int n) {
  const int grid = (n + 255) / 256;
  if (grid > 0) nn<<<grid, 256>>>(points, nearest, n);
}
