// CAUSE: The free slots of the last tile are filled with points at the origin, and the loop scans all slots. So points that do not exist are found, with indices n and up, wherever the origin is nearer than the true neighbor.
// LINES: 31
// REPAIR: line 31: `make_float3(0.0f, 0.0f, 0.0f)` -> `make_float3(INFINITY, INFINITY, INFINITY)`
// GOOD HINT: You scan the whole tile, also the last one. What distance does a thread find to the slots that hold no real point, and could that be the least?
// SYMPTOM: Answers >= n for points near the origin, also for n = 1 (1 instead of -1); right where n is a multiple of 128.
#include <cfloat>
#include <cmath>

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
    const int j = first + tx;
    // pad the last tile, so that the loop below needs no bound
    tile[tx] = j < n ? points[j] : make_float3(0.0f, 0.0f, 0.0f);
    __syncthreads();

#pragma unroll 8
    for (int k = 0; k < block; ++k) {
      const float distance = squared_distance(own, tile[k]);
      if (first + k != i && distance < best) {
        best = distance;
        best_index = first + k;
      }
    }
    __syncthreads();
  }

  if (i < n) nearest[i] = best_index;
}

}  // namespace

void nearest_neighbor(const float3* points, int* nearest, int n) {
  if (n == 0) return;
  const int grid = (n + block - 1) / block;
  nearest_kernel<<<grid, block>>>(points, nearest, n);
}
