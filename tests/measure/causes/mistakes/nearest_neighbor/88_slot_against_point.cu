// CAUSE: The thread's own point is left out by comparing the slot with the number of the point in the grid, without adding the number of the tile's first point.
// LINES: 45
// REPAIR: line 45: `s != i` -> `first + s != i`
// SYMPTOM: Points from the second block on find themselves, with a distance of 0; points of the first block miss others.

#include <cfloat>
#include <cmath>

#include "nearest_neighbor.h"

namespace {

constexpr int block = 128;

struct Best {
  float distance = FLT_MAX;
  int index = -1;
  __device__ void offer(float d, int i) {
    if (d < distance) distance = d, index = i;
  }
};

__device__ float square(float v) { return v * v; }

__device__ float squared_distance(float4 a, float4 b) {
  return square(a.x - b.x) + square(a.y - b.y) + square(a.z - b.z);
}

__device__ float4 get(const float3* points, int i, int n) {
  if (i >= n) return make_float4(INFINITY, 0, 0, 0);
  const float3 p = points[i];
  return make_float4(p.x, p.y, p.z, 0);
}

__global__ void nearest_kernel(const float3* points, int* nearest, int n) {
  __shared__ float4 tile[block];
  const int i = blockIdx.x * block + threadIdx.x;
  const float4 own = get(points, i, n);
  Best best;
  for (int first = 0; first < n; first += block) {
    tile[threadIdx.x] = get(points, first + threadIdx.x, n);
    __syncthreads();
#pragma unroll 4
    for (int s = 0; s < block; ++s)
      if (s != i) best.offer(squared_distance(own, tile[s]), first + s);
    __syncthreads();
  }
  if (i < n) nearest[i] = best.index;
}

}  // namespace

void nearest_neighbor(const float3* points, int* nearest, int n) {
  if (n > 0) nearest_kernel<<<(n - 1) / block + 1, block>>>(points, nearest, n);
}
