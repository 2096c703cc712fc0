// CAUSE: Nothing keeps a fast thread from loading the next tile while others still scan this one: a barrier is missing at the end of the loop.
// LINES: 44
// REPAIR: line 44: `}` -> `__syncthreads(); }`
// SYMPTOM: A data race on xs, ys and zs as soon as n > 256; now and then a point misses its nearest neighbor or gets a wrong index.
#include <cfloat>

#include "nearest_neighbor.h"

namespace {

constexpr int block = 256;

__global__ void nearest_kernel(const float3* points, int* nearest, int n) {
  __shared__ float xs[block], ys[block], zs[block];
  const int tid = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + tid;
  float x = 0, y = 0, z = 0;
  if (i < n) {
    x = points[i].x;
    y = points[i].y;
    z = points[i].z;
  }

  float least = FLT_MAX;
  int winner = -1;
  for (int start = 0; start < n; start += block) {
    const int count = min(block, n - start);
    if (tid < count) {
      const float3 p = points[start + tid];
      xs[tid] = p.x;
      ys[tid] = p.y;
      zs[tid] = p.z;
    }
    __syncthreads();

    for (int s = 0; s < count; ++s) {
      const float dx = xs[s] - x, dy = ys[s] - y, dz = zs[s] - z;
      const float d = dx * dx + dy * dy + dz * dz;
      if (start + s != i && d < least) {
        least = d;
        winner = start + s;
      }
    }
  }

  if (i < n) nearest[i] = winner;
}

}  // namespace

void nearest_neighbor(const float3* points, int* nearest, int n) {
  if (n == 0) return;
  const int grid = (n + block - 1) / block;
  nearest_kernel<<<grid, block>>>(points, nearest, n);
}
