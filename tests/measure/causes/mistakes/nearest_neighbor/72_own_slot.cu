// CAUSE: The thread leaves out slot number tx of every tile, but only in the tile that holds the block's own points is that the thread's own point.
// LINES: 39
// REPAIR: if (base + k != i && d < closest) {
// SYMPTOM: One other point of each tile is never considered: wrong neighbors for n > 256, if that point is the nearest.
#include <cfloat>

#include "nearest_neighbor.h"

namespace {

constexpr int TILE = 256;

__global__ void nearest_kernel(const float3* points, int* nearest, int n) {
  __shared__ float3 shared_points[TILE];

  const int tx = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + tx;

  float3 p = make_float3(0.0f, 0.0f, 0.0f);
  if (i < n) p = points[i];

  float closest = FLT_MAX;
  int answer = -1;

  const int tiles = (n + TILE - 1) / TILE;
  for (int t = 0; t < tiles; ++t) {
    const int base = t * TILE;
    if (base + tx < n) {
      shared_points[tx] = points[base + tx];
    }
    __syncthreads();

    for (int k = 0; k < TILE && base + k < n; ++k) {
      const float3 q = shared_points[k];
      const float dx = p.x - q.x;
      const float dy = p.y - q.y;
      const float dz = p.z - q.z;
      const float d = dx * dx + dy * dy + dz * dz;
      if (k != tx && d < closest) {
        closest = d;
        answer = base + k;
      }
    }
    __syncthreads();
  }

  if (i < n) nearest[i] = answer;
}

}  // namespace

void nearest_neighbor(const float3* points, int* nearest, int n) {
  if (n == 0) return;
  const int blocks = (n + TILE - 1) / TILE;
  nearest_kernel<<<blocks, TILE>>>(points, nearest, n);
}
