// CAUSE: The own point is recognized by its slot alone, so in every tile slot t is left out, though it holds the own point only in the tile of the own block.
// LINES: 22
// REPAIR: line 22: `if (s == t) continue;` -> `if (base + s == int(blockIdx.x) * tile_size + t) continue;`
// SYMPTOM: Up to 128 points are right; with more, a point never finds those whose index differs from its own by a multiple of 128, and gets a farther one.
#include <cfloat>

#include "nearest_neighbor.h"

namespace {

constexpr int tile_size = 128;

struct Found {
  float distance;
  int index;
};

__device__ float squared(float v) { return v * v; }

__device__ void scan(const float4* tile, int slots, int base, float3 own, int t, Found& found) {
  for (int s = 0; s < slots; ++s) {
    if (s == t) continue;
    const float4 p = tile[s];
    const float d = squared(p.x - own.x) + squared(p.y - own.y) + squared(p.z - own.z);
    if (d < found.distance) found = {d, base + s};
  }
}

__global__ void search(const float3* points, int* nearest, int n) {
  __shared__ float4 tile[tile_size];
  const int t = threadIdx.x;
  const int i = blockIdx.x * tile_size + t;
  const float3 own = points[min(i, n - 1)];  // threads past the end search in vain

  Found found = {FLT_MAX, -1};
  for (int base = 0; base < n; base += tile_size) {
    const int slots = min(tile_size, n - base);
    if (t < slots) {
      const float3 p = points[base + t];
      tile[t] = make_float4(p.x, p.y, p.z, 0);
    }
    __syncthreads();
    scan(tile, slots, base, own, t, found);
    __syncthreads();
  }

  if (i < n) nearest[i] = found.index;
}

}  // namespace

void nearest_neighbor(const float3* points, int* nearest, int n) {
  if (n <= 0) return;
  search<<<(n + tile_size - 1) / tile_size, tile_size>>>(points, nearest, n);
}
