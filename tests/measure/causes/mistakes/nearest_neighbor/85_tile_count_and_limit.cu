// CAUSE: Two mistakes. (1) The number of tiles is rounded down, so the points of the last, partial tile are never candidates. (2) The search starts from 1e6 instead of FLT_MAX, so neighbors whose squared distance is larger than that are never taken.
// LINES: 11 38
// REPAIR: line 11: `constexpr float START = 1.0e6f; // more than any distance` -> `constexpr float START = 3.402823466e38f; // more than any distance`; line 38: `int tiles = n / B;` -> `int tiles = (n + B - 1) / B;`
// SYMPTOM: Points whose neighbor is among the last n % 128 get another one or -1; points that are far from all others get -1.

#include "nearest_neighbor.h"

namespace {

constexpr int B = 128;
constexpr float START = 1.0e6f;  // more than any distance

// Compares p with `count` points in shared memory, the first of which has index `base`.
__device__ void scanTile(const float3* tile, int base, int count, int self, float3 p, float& dist,
                         int& which) {
  for (int k = 0; k < count; ++k) {
    if (base + k == self) continue;
    float dx = p.x - tile[k].x;
    float dy = p.y - tile[k].y;
    float dz = p.z - tile[k].z;
    float d = dx * dx;
    d += dy * dy;
    d += dz * dz;
    if (d < dist) {
      dist = d;
      which = base + k;
    }
  }
}

__global__ void nearestPoint(const float3* points, int* nearest, int n) {
  __shared__ float3 tile[B];
  int i = threadIdx.x + B * blockIdx.x;
  float3 p = i < n ? points[i] : make_float3(0, 0, 0);
  float dist = START;
  int which = -1;

  int tiles = n / B;
  for (int t = 0; t < tiles; t++) {
    int base = t * B;
    if (base + threadIdx.x < n) tile[threadIdx.x] = points[base + threadIdx.x];
    __syncthreads();
    scanTile(tile, base, min(B, n - base), i, p, dist, which);
    __syncthreads();
  }
  if (i >= n) return;
  nearest[i] = which;
}

}  // namespace

void nearest_neighbor(const float3* points, int* nearest, int n) {
  if (n == 0) return;
  nearestPoint<<<(n + B - 1) / B, B>>>(points, nearest, n);
}
