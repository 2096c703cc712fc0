// CAUSE: The squared distance is computed as a.a - 2 a.b + b.b. For points that are close together but far from the origin, large numbers cancel and almost nothing of the distance is left.
// LINES: 17
// REPAIR: line 17: `return dot(a, a) - 2.0f * dot(a, b) + dot(b, b);` -> `const float3 d = make_float3(a.x - b.x, a.y - b.y, a.z - b.z); return dot(d, d);`
// GOOD HINT: Try your distance function with two points at x = 10000 and x = 10000.5. How large are the numbers that you subtract, and how many digits does a float have for the small difference?
// SYMPTOM: Wrong neighbors for clusters and clouds far away from the origin (distances even 0 or negative), right for points near the origin.
#include <cfloat>
#include "nearest_neighbor.h"

namespace {

constexpr int block = 128;

__device__ float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

// |a - b|^2 by the binomial formula
__device__ float squared_distance(float3 a, float3 b) {
  return dot(a, a) - 2.0f * dot(a, b) + dot(b, b);
}

__global__ void nearest_kernel(const float3* points, int* nearest, int n) {
  __shared__ float3 tile[block];
  const int t = threadIdx.x;
  const int i = blockIdx.x * block + t;
  float3 own = make_float3(0, 0, 0);
  if (i < n) own = points[i];

  float best = FLT_MAX;
  int best_index = -1;
  for (int first = 0; first < n; first += block) {
    int j = first + t;
    if (j < n) tile[t] = points[j];
    __syncthreads();
    for (int k = 0; k < block; ++k) {
      if (first + k >= n) break;
      if (first + k == i) continue;
      float d = squared_distance(own, tile[k]);
      if (d < best) {
        best = d;
        best_index = first + k;
      }
    }
    __syncthreads();
  }
  if (i < n) nearest[i] = best_index;
}

}  // namespace

void nearest_neighbor(const float3* points, int* nearest, int n) {
  if (n > 0) {
    nearest_kernel<<<(n + block - 1) / block, block>>>(points, nearest, n);
  }
}
