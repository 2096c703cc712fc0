// CAUSE: Each thread searches for two points, i0 and i1 = i0 + threads. For the second one the test that leaves out the point itself compares with i0, so i1 finds itself at distance 0 (and never i0).
// LINES: 45
// REPAIR: line 45: `if (e1 < d1 && j != i0) d1 = e1, n1 = j;` -> `if (e1 < d1 && j != i1) d1 = e1, n1 = j;`
// SYMPTOM: Every second group of 64 points: nearest[i] is i.

#include <cfloat>

#include "nearest_neighbor.h"

namespace {

constexpr int threads = 64;
constexpr int tile_points = 2 * threads;

__device__ inline float sq(float v) { return v * v; }

__device__ inline float dist(const float3& a, const float3& b) {
  return sq(a.x - b.x) + sq(a.y - b.y) + sq(a.z - b.z);
}

__global__ void two_per_thread(const float3* points, int* nearest, int n) {
  __shared__ float3 tile[tile_points];
  const int t = threadIdx.x;
  const int i0 = blockIdx.x * tile_points + t;
  const int i1 = i0 + threads;

  const float3 nowhere = {0.0f, 0.0f, 0.0f};
  const float3 p0 = i0 < n ? points[i0] : nowhere;
  const float3 p1 = i1 < n ? points[i1] : nowhere;
  float d0 = FLT_MAX, d1 = FLT_MAX;
  int n0 = -1, n1 = -1;

  for (int offset = 0; offset < n; offset += tile_points) {
    if (offset + t < n) tile[t] = points[offset + t];
    if (offset + t + threads < n) tile[t + threads] = points[offset + t + threads];
    __syncthreads();

    const int end = min(tile_points, n - offset);
    for (int k = 0; k < end; k++) {
      const int j = offset + k;
      const float3 q = tile[k];
      const float e0 = dist(p0, q);
      const float e1 = dist(p1, q);
      if (e0 < d0 && j != i0) d0 = e0, n0 = j;
      if (e1 < d1 && j != i0) d1 = e1, n1 = j;
    }
    __syncthreads();
  }

  if (i0 < n) nearest[i0] = n0;
  if (i1 < n) nearest[i1] = n1;
}

}  // namespace

void nearest_neighbor(const float3* points, int* nearest, int n) {
  if (n > 0) two_per_thread<<<(n - 1) / tile_points + 1, threads>>>(points, nearest, n);
}
