// CAUSE: Slots of the last tile that have no point are filled with the point (0, 0, 0) instead of one at infinity, and the scan has no bound that would leave them out.
// LINES: 34
// REPAIR: line 34: `float4 mine = make_float4(0, 0, 0, 0);` -> `float4 mine = make_float4(INFINITY, INFINITY, INFINITY, 0);`
// SYMPTOM: Points that are nearer to the origin than to any other point get an index >= n.

#include <cfloat>
#include <cmath>

#include "nearest_neighbor.h"

// Two points per thread, and slots of 16 bytes: each slot that is read serves two pairs.

namespace {

constexpr int block = 128;
constexpr int own_points = 2;

__global__ void nearest_kernel(const float3* points, int* nearest, int n) {
  __shared__ float4 tile[block];
  const int tx = threadIdx.x;

  int index[own_points], best_index[own_points];
  float3 own[own_points];
  float best[own_points];
#pragma unroll
  for (int p = 0; p < own_points; ++p) {
    index[p] = (blockIdx.x * own_points + p) * block + tx;
    own[p] = index[p] < n ? points[index[p]] : make_float3(0, 0, 0);
    best[p] = FLT_MAX;
    best_index[p] = -1;
  }

  for (int first = 0; first < n; first += block) {
    float4 mine = make_float4(0, 0, 0, 0);
    if (first + tx < n) {
      const float3 loaded = points[first + tx];
      mine = make_float4(loaded.x, loaded.y, loaded.z, 0);
    }
    tile[tx] = mine;
    __syncthreads();

#pragma unroll 8
    for (int k = 0; k < block; ++k) {
      const float4 other = tile[k];
#pragma unroll
      for (int p = 0; p < own_points; ++p) {
        const float dx = own[p].x - other.x;
        const float dy = own[p].y - other.y;
        const float dz = own[p].z - other.z;
        const float distance = dx * dx + dy * dy + dz * dz;
        if (distance < best[p] && first + k != index[p]) {
          best[p] = distance;
          best_index[p] = first + k;
        }
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (int p = 0; p < own_points; ++p)
    if (index[p] < n) nearest[index[p]] = best_index[p];
}

}  // namespace

void nearest_neighbor(const float3* points, int* nearest, int n) {
  if (n == 0) return;
  constexpr int per_block = block * own_points;
  nearest_kernel<<<(n + per_block - 1) / per_block, block>>>(points, nearest, n);
}
