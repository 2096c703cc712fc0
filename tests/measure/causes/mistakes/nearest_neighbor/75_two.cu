// CAUSE: (1) The difference in z subtracts the other point's y, a slip of copy and paste. (2) The index starts at 0 instead of -1, so a point that has no neighbor gets 0.
// LINES: 16 30
// REPAIR: (1) const float dz = a.z - b.z; (2) int id = -1;
// SYMPTOM: Nearly all neighbors are wrong; and nearest[i] is 0 instead of -1 for n = 1 and where no point is at a finite distance.
#include <cfloat>

#include "nearest_neighbor.h"

namespace {

constexpr int threads = 128;

__device__ float distance2(float3 a, float3 b) {
  const float dx = a.x - b.x;
  const float dy = a.y - b.y;
  const float dz = a.z - b.y;
  return dx * dx + dy * dy + dz * dz;
}

__global__ void nearest_kernel(const float3* points, int* nearest, int n) {
  __shared__ float3 tile[threads];
  const int t = threadIdx.x;
  const int i = blockIdx.x * threads + t;
  const bool has_point = i < n;

  float3 own = float3{};
  if (has_point) own = points[i];

  float least = FLT_MAX;
  int id = 0;

  for (int begin = 0; begin < n; begin += threads) {
    const int size = begin + threads <= n ? threads : n - begin;
    if (t < size) tile[t] = points[begin + t];
    __syncthreads();

    if (has_point) {
      for (int k = 0; k < size; ++k) {
        const float d = distance2(own, tile[k]);
        if (d < least && begin + k != i) {
          least = d;
          id = begin + k;
        }
      }
    }
    __syncthreads();
  }

  if (has_point) nearest[i] = id;
}

}  // namespace

void nearest_neighbor(const float3* points, int* nearest, int n) {
  if (n == 0) return;
  nearest_kernel<<<(n + threads - 1) / threads, threads>>>(points, nearest, n);
}
