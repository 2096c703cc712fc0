// CAUSE: Four threads share a point, each with a quarter of every tile. When their results are merged, only a smaller distance wins, so of equally near points that of the lowest quarter stays, though another quarter may have found a lower index in an earlier tile.
// LINES: 54
// REPAIR: line 54: `if (d < d_min) {` -> `if (d < d_min || (d == d_min && j >= 0 && j < j_min)) {`
// SYMPTOM: With equally near points in several tiles, nearest[i] is not the lowest index.

#include <cfloat>

#include "nearest_neighbor.h"

namespace {

constexpr int points_of_block = 32;
constexpr int shares = 4;
constexpr int tile_size = points_of_block * shares;

__device__ float distance2(float4 a, float4 b) {
  const float x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
  return fmaf(x, x, fmaf(y, y, z * z));
}

__device__ float4 widen(float3 p) { return make_float4(p.x, p.y, p.z, 0); }

__global__ void shared_search(const float3* points, int* nearest, int n) {
  __shared__ float4 tile[tile_size];
  __shared__ float least[shares][points_of_block];
  __shared__ int index[shares][points_of_block];
  const int lane = threadIdx.x, share = threadIdx.y;
  const int slot = share * points_of_block + lane;
  const int i = blockIdx.x * points_of_block + lane;
  const float4 own = i < n ? widen(points[i]) : make_float4(0, 0, 0, 0);

  float d_min = FLT_MAX;
  int j_min = -1;
  for (int start = 0; start < n; start += tile_size) {
    if (start + slot < n) tile[slot] = widen(points[start + slot]);
    __syncthreads();
    const int begin = share * points_of_block;
    const int end = min(begin + points_of_block, n - start);
    for (int s = begin; s < end; ++s) {
      const float d = distance2(own, tile[s]);
      if (d < d_min && start + s != i) d_min = d, j_min = start + s;
    }
    __syncthreads();
  }

  least[share][lane] = d_min;
  index[share][lane] = j_min;
  __syncthreads();
  if (share > 0 || i >= n) return;

  for (int other = 1; other < shares; ++other) {
    const float d = least[other][lane];
    const int j = index[other][lane];
    if (d < d_min) {
      d_min = d;
      j_min = j;
    }
  }
  nearest[i] = j_min;
}

}  // namespace

void nearest_neighbor(const float3* points, int* nearest, int n) {
  if (n == 0) return;
  const int blocks = (n + points_of_block - 1) / points_of_block;
  shared_search<<<blocks, dim3(points_of_block, shares)>>>(points, nearest, n);
}
