// One line of this file is at fault: `./tilelab detective nearest_neighbor twins`.

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

  for (int first = 0; first < n; first += block) {
    if (first + tx < n) tile[tx] = points[first + tx];
    __syncthreads();
    for (int k = 0; k < block && first + k < n; ++k) {
      const int j = first + k;
      const float distance = squared_distance(own, tile[k]);
      if (j != i && distance <= best) {
        best = distance;
        best_index = j;
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
