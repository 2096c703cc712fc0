// One line of this file is at fault: `./tilelab detective nearest_neighbor one_question`.

#include <cfloat>
#include <cmath>

#include "nearest_neighbor.h"

namespace {

constexpr int block = 128;
constexpr int queries_per_thread = 1;
constexpr int queries = block * queries_per_thread;
constexpr int tile_size = queries;  // so that the block's own points are one tile

struct Neighbor {
  float distance = FLT_MAX;
  int index = -1;
};

__device__ float squared_distance(float3 a, float4 b) {
  const float dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
  return dx * dx + dy * dy + dz * dz;
}

__device__ float4 load_slot(const float3* points, int j, int n) {
  if (j >= n) return make_float4(INFINITY, INFINITY, INFINITY, 0);
  const float3 point = points[j];
  return make_float4(point.x, point.y, point.z, 0);
}

// Thread tx searches for the points tx, tx + block, tx + 2 * block, ... of its block.
template <bool own_tile>
__device__ void scan(const float4* tile, int first, const float3* own, Neighbor* best) {
#pragma unroll 8
  for (int k = 0; k < tile_size; ++k) {
    const float4 point = tile[k];
#pragma unroll
    for (int r = 0; r < queries_per_thread; ++r) {
      const float distance = squared_distance(own[r], point);
      if (own_tile && k == static_cast<int>(threadIdx.x) + r * block) continue;
      if (distance < best[r].distance) best[r] = {distance, first + k};
    }
  }
}

__global__ void nearest_kernel(const float3* points, int* nearest, int n) {
  __shared__ float4 tile[tile_size];
  const int tx = threadIdx.x;
  const int first_own = blockIdx.x * queries;
  float3 own[queries_per_thread];
  Neighbor best[queries_per_thread];
#pragma unroll
  for (int r = 0; r < queries_per_thread; ++r) {
    own[r] = points[min(first_own + tx + r * block, n - 1)];
  }

  for (int first = 0; first < n; first += tile_size) {
    for (int slot = tx; slot < tile_size; slot += block) {
      tile[slot] = load_slot(points, first + slot, n);
    }
    __syncthreads();
    if (first == first_own) {
      scan<true>(tile, first, own, best);
    } else {
      scan<false>(tile, first, own, best);
    }
    __syncthreads();
  }

#pragma unroll
  for (int r = 0; r < queries_per_thread; ++r) {
    const int i = first_own + tx + r * block;
    if (i < n) nearest[i] = best[r].index;
  }
}

}  // namespace

void nearest_neighbor(const float3* points, int* nearest, int n) {
  if (n > 0) nearest_kernel<<<(n + queries - 1) / queries, block>>>(points, nearest, n);
}
