// CAUSE: Each thread searches for four points, 64 apart, but before it stores all four results it only asks whether the first of them exists. And the tile's last slots are filled up with the point (0, 0, 0) instead of a point at infinity.
// LINES: 33, 55
// REPAIR: line 33: `float4 slot = make_float4(0, 0, 0, 0);` -> `float4 slot = make_float4(INFINITY, INFINITY, INFINITY, 0);`; line 55: `if (first_own < n) nearest[first_own + e * threads] = index[e];` -> `if (first_own + e * threads < n) nearest[first_own + e * threads] = index[e];`
// SYMPTOM: Writes past the end of nearest if n is no multiple of 256, and indices of n and more for points that are nearer to the origin than to their nearest neighbor.
#include <cfloat>
#include <cmath>

#include "nearest_neighbor.h"

namespace {

constexpr int threads = 64;
constexpr int each = 4;  // points per thread
constexpr int per_block = threads * each;

__global__ void nearest_kernel(const float3* points, int* nearest, int n) {
  __shared__ float4 tile[threads];
  const int first_own = blockIdx.x * per_block + threadIdx.x;

  float3 own[each];
  float best[each];
  int index[each];
#pragma unroll
  for (int e = 0; e < each; ++e) {
    const int i = first_own + e * threads;
    own[e] = i < n ? points[i] : make_float3(0, 0, 0);
    best[e] = FLT_MAX;
    index[e] = -1;
  }

  for (int first = 0; first < n; first += threads) {
    const int load = first + threadIdx.x;
    float4 slot = make_float4(0, 0, 0, 0);
    if (load < n) slot = make_float4(points[load].x, points[load].y, points[load].z, 0);
    tile[threadIdx.x] = slot;
    __syncthreads();

    for (int s = 0; s < threads; ++s) {
      const float4 other = tile[s];
#pragma unroll
      for (int e = 0; e < each; ++e) {
        const float dx = own[e].x - other.x, dy = own[e].y - other.y, dz = own[e].z - other.z;
        const float d = dx * dx + dy * dy + dz * dz;
        if (d < best[e] && first + s != first_own + e * threads) {
          best[e] = d;
          index[e] = first + s;
        }
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (int e = 0; e < each; ++e) {
    if (first_own < n) nearest[first_own + e * threads] = index[e];
  }
}

}  // namespace

void nearest_neighbor(const float3* points, int* nearest, int n) {
  if (n == 0) return;
  const int blocks = (n + per_block - 1) / per_block;
  nearest_kernel<<<blocks, threads>>>(points, nearest, n);
}
