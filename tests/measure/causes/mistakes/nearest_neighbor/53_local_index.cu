// CAUSE: The index that is kept is that of the slot in the tile, not that of the point, which is tile_start more.
// LINES: 42
// REPAIR: line 42: `winner = j;` -> `winner = tile_start + j;`
// SYMPTOM: All indices are below 128; right for n <= 128, and in larger clouds for points whose neighbor is in the first tile.
#include <float.h>

#include "nearest_neighbor.h"

constexpr int N = 128;  // points per tile

// The tile as three arrays.
struct Tile {
  float x[N], y[N], z[N];
};

__global__ void nn(const float3* __restrict__ pts, int* __restrict__ result, const int n) {
  __shared__ Tile tile;
  const int t = threadIdx.x;
  const int id = blockIdx.x * N + t;
  float px = 0, py = 0, pz = 0;
  if (id < n) {
    px = pts[id].x;
    py = pts[id].y;
    pz = pts[id].z;
  }
  float smallest = FLT_MAX;
  int winner = -1;

  for (int tile_start = 0; tile_start < n; tile_start += N) {
    if (tile_start + t < n) {
      tile.x[t] = pts[tile_start + t].x;
      tile.y[t] = pts[tile_start + t].y;
      tile.z[t] = pts[tile_start + t].z;
    }
    __syncthreads();
    const int in_tile = min(N, n - tile_start);
    for (int j = 0; j < in_tile; j++) {
      const float dx = tile.x[j] - px, dy = tile.y[j] - py, dz = tile.z[j] - pz;
      const float d = dx * dx + dy * dy + dz * dz;
      if (d < smallest && tile_start + j != id) {
        smallest = d;
        winner = j;
      }
    }
    __syncthreads();
  }
  if (id < n) result[id] = winner;
}

void nearest_neighbor(const float3* points, int* nearest, int n) {
  const int blocks = (n + N - 1) / N;
  if (blocks > 0) nn<<<blocks, N>>>(points, nearest, n);
}
