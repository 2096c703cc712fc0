// CAUSE: Empty slots of the last tile are filled with the origin, which is a place like any other: it has to be one at infinite distance.
// LINES: 25
// REPAIR: line 25: `const float4 empty = make_float4(0, 0, 0, 0);` -> `const float4 empty = make_float4(INFINITY, INFINITY, INFINITY, 0);`
// SYMPTOM: Unless n is a multiple of 128, points that are nearer to the origin than to any other point get an index >= n.
#include <cfloat>
#include <cmath>

#include "nearest_neighbor.h"

namespace {

constexpr int block = 128;

__device__ float4 slot(float3 p) { return make_float4(p.x, p.y, p.z, 0); }

__device__ float distance2(float4 a, float4 b) {
  const float dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
  return fmaf(dx, dx, fmaf(dy, dy, dz * dz));
}

__global__ void nearest_kernel(const float3* points, int* nearest, int n) {
  __shared__ float4 tile[block];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * block + tx;
  const float4 empty = make_float4(0, 0, 0, 0);
  const float4 own = i < n ? slot(points[i]) : empty;

  float best = FLT_MAX;
  int best_index = -1;
  for (int first = 0; first < n; first += block) {
    const int j = first + tx;
    tile[tx] = j < n ? slot(points[j]) : empty;
    __syncthreads();

    // No bound to check: the tile is always full.
#pragma unroll 8
    for (int s = 0; s < block; ++s) {
      const float d = distance2(own, tile[s]);
      if (d < best && first + s != i) {
        best = d;
        best_index = first + s;
      }
    }
    __syncthreads();
  }
  if (i < n) nearest[i] = best_index;
}

}  // namespace

void nearest_neighbor(const float3* points, int* nearest, int n) {
  if (n > 0) nearest_kernel<<<(n + block - 1) / block, block>>>(points, nearest, n);
}
