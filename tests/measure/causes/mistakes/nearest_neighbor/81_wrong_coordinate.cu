// CAUSE: The array for the z coordinates of the tile is filled with y, so dz is the difference between a y and a z.
// LINES: 37
// REPAIR: line 37: `s.z[threadIdx.x] = points[j].y;` -> `s.z[threadIdx.x] = points[j].z;`
// SYMPTOM: Wrong neighbors, except where the z coordinates do not decide.

#include <float.h>

#include "nearest_neighbor.h"

namespace {

constexpr int N = 256;

struct Tile {
  float x[N], y[N], z[N];
};

__global__ void search(const float3* points, int* nearest, int n) {
  __shared__ Tile s;

  const int id = blockIdx.x * N + threadIdx.x;
  float px = 0, py = 0, pz = 0;
  if (id < n) {
    px = points[id].x;
    py = points[id].y;
    pz = points[id].z;
  }

  float min_dist = FLT_MAX;
  int winner = -1;

  for (int base = 0; base < n; base += N) {
    const int j = base + threadIdx.x;
    if (j < n) {
      s.x[threadIdx.x] = points[j].x;
      s.y[threadIdx.x] = points[j].y;
      s.z[threadIdx.x] = points[j].y;
    }
    __syncthreads();

    const int filled = n - base < N ? n - base : N;
    for (int k = 0; k < filled; ++k) {
      if (base + k == id) continue;
      const float dx = s.x[k] - px;
      const float dy = s.y[k] - py;
      const float dz = s.z[k] - pz;
      const float d = dx * dx + dy * dy + dz * dz;
      if (d < min_dist) {
        min_dist = d;
        winner = base + k;
      }
    }
    __syncthreads();
  }

  if (id < n) nearest[id] = winner;
}

}  // namespace

void nearest_neighbor(const float3* points, int* nearest, int n) {
  if (n == 0) return;
  search<<<(n + N - 1) / N, N>>>(points, nearest, n);
}
