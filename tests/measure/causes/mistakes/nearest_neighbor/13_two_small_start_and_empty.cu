// CAUSE: Two mistakes. (1) The least distance starts at 1,000,000, so points that are farther than 1000 away from all others find no neighbor. (2) For n = 0 a grid of 0 blocks is launched, which is a launch error.
// LINES: 24, after 49
// REPAIR: line 24: `1000000.0f` -> `FLT_MAX`; insert `if (n == 0) return;` after line 49
// GOOD HINT: (1) What happens if all other points are 2000 away? Which number can no finite distance exceed? (2) How many blocks do you launch for no points at all, and does CUDA allow that?
// SYMPTOM: -1 instead of the neighbor for points far apart; 'invalid configuration argument' for n = 0.
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
  float best = 1000000.0f;  // larger than everything
  int best_index = -1;

  for (int first = 0; first < n; first += block) {
    if (first + tx < n) tile[tx] = points[first + tx];
    __syncthreads();

    for (int k = 0; k < block; ++k) {
      const int j = first + k;
      if (j >= n || j == i) continue;
      const float d = squared_distance(own, tile[k]);
      if (d < best) {
        best = d;
        best_index = j;
      }
    }
    __syncthreads();
  }

  if (i < n) nearest[i] = best_index;
}

}  // namespace

void nearest_neighbor(const float3* points, int* nearest, int n) {
  const int grid = (n + block - 1) / block;
  nearest_kernel<<<grid, block>>>(points, nearest, n);
}
