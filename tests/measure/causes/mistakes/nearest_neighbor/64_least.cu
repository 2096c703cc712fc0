// CAUSE: The least distance starts again at FLT_MAX in every tile, while the index is kept, so a later tile replaces a nearer point of an earlier one.
// LINES: 38
// REPAIR: move the line before the loop over the tiles.
// SYMPTOM: Right for up to 256 points (one tile); with more, the answer is the nearest point of the last tile that has one.

#include <cfloat>

#include "nearest_neighbor.h"

namespace {

constexpr int threads = 256;

__global__ void nearest_kernel(const float3* points, int* nearest, int n) {
  __shared__ float px[threads], py[threads], pz[threads];
  const int t = threadIdx.x;
  const int id = blockIdx.x * blockDim.x + t;

  float x = 0, y = 0, z = 0;
  if (id < n) {
    x = points[id].x;
    y = points[id].y;
    z = points[id].z;
  }

  int found = -1;
  const int tiles = (n + threads - 1) / threads;
  for (int tile = 0; tile < tiles; ++tile) {
    const int base = tile * threads;
    if (base + t < n) {
      const float3 p = points[base + t];
      px[t] = p.x;
      py[t] = p.y;
      pz[t] = p.z;
    }
    __syncthreads();

    float least = FLT_MAX;
    const int last = min(threads, n - base);
    for (int s = 0; s < last; ++s) {
      const float dx = px[s] - x, dy = py[s] - y, dz = pz[s] - z;
      const float d = dx * dx + dy * dy + dz * dz;
      if (d < least && base + s != id) {
        least = d;
        found = base + s;
      }
    }
    __syncthreads();
  }

  if (id < n) nearest[id] = found;
}

}  // namespace

void nearest_neighbor(const float3* points, int* nearest, int n) {
  if (n == 0) return;
  const int blocks = (n + threads - 1) / threads;
  nearest_kernel<<<blocks, threads>>>(points, nearest, n);
}
