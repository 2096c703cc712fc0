// CAUSE: (1) The least distance starts at a million instead of FLT_MAX, so points farther away are never taken. (2) The second barrier is inside the branch of the threads that have a point, so those without one skip it.
// LINES: 25 42 43
// REPAIR: (1) float best = FLT_MAX; (2) move the barrier behind the closing brace of the if.
// SYMPTOM: -1 for points whose neighbors are more than 1000 away, and when n is not a multiple of 128, threads of the last block wait at different barriers or skip one.

#include <cfloat>

#include "nearest_neighbor.h"

namespace {

constexpr int block = 128;

__device__ float squared_distance(float3 a, float3 b) {
  const float dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
  return dx * dx + dy * dy + dz * dz;
}

__global__ void nearest_kernel(const float3* points, int* nearest, int n) {
  __shared__ float3 tile[block];
  const int t = threadIdx.x;
  const int me = blockIdx.x * block + t;
  const float3 own = points[me < n ? me : 0];

  float best = 1e6f;
  int which = -1;

  for (int start = 0; start < n; start += block) {
    if (start + t < n) tile[t] = points[start + t];
    __syncthreads();

    if (me < n) {
      const int end = n - start < block ? n - start : block;
      for (int s = 0; s < end; ++s) {
        if (start + s == me) continue;
        const float d = squared_distance(own, tile[s]);
        if (d < best) {
          best = d;
          which = start + s;
        }
      }
      __syncthreads();
    }
  }

  if (me < n) nearest[me] = which;
}

}  // namespace

void nearest_neighbor(const float3* points, int* nearest, int n) {
  if (n == 0) return;
  nearest_kernel<<<(n + block - 1) / block, block>>>(points, nearest, n);
}
