// CAUSE: With <= a later point that is just as near replaces the earlier one, so of equally near points the highest index is kept instead of the lowest.
// LINES: 34
// REPAIR: if (first + k != i && d2 < best) {
// SYMPTOM: Wrong (too high) indices where several points are equally near, for example points in one place or on a grid; right otherwise.
#include <cfloat>
#include <cmath>

#include "nearest_neighbor.h"

namespace {

constexpr int block = 64;

__device__ float sq(float v) { return v * v; }

__global__ void nearest_kernel(const float3* points, int* nearest, int n) {
  __shared__ float3 tile[block];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * block + tx;
  const float3 own = i < n ? points[i] : make_float3(0, 0, 0);

  float best = FLT_MAX;
  int best_index = -1;

  for (int first = 0; first < n; first += block) {
    // Places without a point get one that is infinitely far away.
    const int j = first + tx;
    tile[tx] = j < n ? points[j] : make_float3(INFINITY, INFINITY, INFINITY);
    __syncthreads();

    for (int k = 0; k < block; ++k) {
      const float3 other = tile[k];
      const float d2 = sq(other.x - own.x) + sq(other.y - own.y) + sq(other.z - own.z);
      if (first + k != i && d2 <= best) {
        best = d2;
        best_index = first + k;
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
