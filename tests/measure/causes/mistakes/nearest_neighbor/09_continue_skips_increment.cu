// CAUSE: In the while loop, `continue` for the own point jumps over the increment of k, so the loop meets the own point again and again and never ends.
// LINES: 33
// REPAIR: line 33: `if (first + k == i) continue;` -> `if (first + k == i) { ++k; continue; }`
// GOOD HINT: Follow thread 0 through your inner loop for k = 0. What is the value of k when the loop's condition is tested the next time?
// SYMPTOM: Hang: the kernel never ends, for every n > 0 (time-out).
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
  const int tx = threadIdx.x;
  const int i = blockIdx.x * block + tx;
  const float3 own = i < n ? points[i] : float3{};
  float best = FLT_MAX;
  int best_index = -1;

  int first = 0;
  while (first < n) {
    if (first + tx < n) tile[tx] = points[first + tx];
    __syncthreads();

    int k = 0;
    while (k < block && first + k < n) {
      if (first + k == i) continue;
      const float distance = squared_distance(own, tile[k]);
      if (distance < best) {
        best = distance;
        best_index = first + k;
      }
      ++k;
    }

    __syncthreads();
    first += block;
  }

  if (i < n) nearest[i] = best_index;
}

}  // namespace

void nearest_neighbor(const float3* points, int* nearest, int n) {
  if (n > 0) nearest_kernel<<<(n + block - 1) / block, block>>>(points, nearest, n);
}
