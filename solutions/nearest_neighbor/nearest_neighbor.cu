// Reference solution. The tile brings each point to a block once, but what counts today is the work
// per pair of points, so:
// - A thread searches for several points at a time: what it reads from the tile serves all of them.
// - Of a group of points a thread keeps only the least distance, which takes one minimum per pair.
//   It finds out which point of the best group it was once, at the end.
// - Only the tile with the block's own points is scanned with a test for "the same point".
// - The warps of a block share its queries and scan different parts of each tile, so that there are
//   enough threads although each has much to do.
// Slots: 7.5 per pair (1 FMUL)

#include <cfloat>
#include <cmath>

#include "nearest_neighbor.h"

namespace {

constexpr int lanes = 32;
constexpr int warps = 4;
constexpr int queries_per_thread = 4;
constexpr int group_size = 16;
constexpr int tile_size = 512;

constexpr int block = warps * lanes;
constexpr int queries = lanes * queries_per_thread;
constexpr int slice = tile_size / warps;  // of each tile, for one warp

static_assert(queries == block, "in the end each thread answers one query");
static_assert(tile_size % queries == 0, "the block's own points lie in one tile");
static_assert(slice % group_size == 0, "a slice consists of whole groups");

// The least distance that was seen, and the first point of the group in which it was.
struct Candidate {
  float distance = FLT_MAX;
  int group = -1;
};

__device__ float squared_distance(float3 a, float3 b) {
  const float dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
  return dx * dx + dy * dy + dz * dz;
}

// Slots past the end get a point at no finite distance: it is never the nearest one.
__device__ void load_tile(float4* tile, const float3* points, int first, int n) {
  for (int slot = threadIdx.x; slot < tile_size; slot += block) {
    const int j = first + slot;
    const float3 point = j < n ? points[j] : float3{INFINITY, INFINITY, INFINITY};
    tile[slot] = float4{point.x, point.y, point.z, 0.0f};
  }
}

// Scans a warp's slice of the tile that begins with point `first`. With `own_tile` it leaves out
// point i[r] for query r.
template <bool own_tile>
__device__ void scan_slice(const float4* tile, int first, const float3* query, const int* i,
                           Candidate* best) {
  const int begin = threadIdx.x / lanes * slice;
  for (int group = begin; group < begin + slice; group += group_size) {
    float least[queries_per_thread];
#pragma unroll
    for (int r = 0; r < queries_per_thread; ++r) least[r] = FLT_MAX;
#pragma unroll
    for (int k = 0; k < group_size; ++k) {
      const float4 slot = tile[group + k];
      const float3 point = {slot.x, slot.y, slot.z};
#pragma unroll
      for (int r = 0; r < queries_per_thread; ++r) {
        const float distance = squared_distance(query[r], point);
        if (own_tile && first + group + k == i[r]) continue;
        least[r] = fminf(least[r], distance);
      }
    }
#pragma unroll
    for (int r = 0; r < queries_per_thread; ++r) {
      if (least[r] < best[r].distance) best[r] = {least[r], first + group};
    }
  }
}

// The point of the group that is nearest to point i; -1 if there is no group.
__device__ int nearest_in_group(const float3* points, int group, int i, int n) {
  if (group < 0) return -1;
  float best = FLT_MAX;
  int best_index = -1;
  for (int j = group; j < min(group + group_size, n); ++j) {
    const float distance = squared_distance(points[i], points[j]);
    if (j != i && distance < best) {
      best = distance;
      best_index = j;
    }
  }
  return best_index;
}

__global__ void nearest_kernel(const float3* points, int* nearest, int n) {
  __shared__ float4 tile[tile_size];
  __shared__ float distances[warps][queries];
  __shared__ int groups[warps][queries];

  const int first_query = blockIdx.x * queries;
  const int lane = threadIdx.x % lanes, warp = threadIdx.x / lanes;
  int i[queries_per_thread];
  float3 query[queries_per_thread];
  Candidate best[queries_per_thread];
#pragma unroll
  for (int r = 0; r < queries_per_thread; ++r) {
    i[r] = first_query + r * lanes + lane;
    query[r] = points[min(i[r], n - 1)];
  }

  for (int first = 0; first < n; first += tile_size) {
    load_tile(tile, points, first, n);
    __syncthreads();
    if (first == first_query / tile_size * tile_size) {
      scan_slice<true>(tile, first, query, i, best);
    } else {
      scan_slice<false>(tile, first, query, i, best);
    }
    __syncthreads();
  }

#pragma unroll
  for (int r = 0; r < queries_per_thread; ++r) {
    distances[warp][r * lanes + lane] = best[r].distance;
    groups[warp][r * lanes + lane] = best[r].group;
  }
  __syncthreads();

  const int own = threadIdx.x;
  if (first_query + own >= n) return;
  Candidate least;
  for (int w = 0; w < warps; ++w) {
    const Candidate other = {distances[w][own], groups[w][own]};
    // Of equally near points the one with the lowest index counts, whichever warp found it.
    const bool lower = other.distance == least.distance && other.group < least.group;
    if (other.distance < least.distance || lower) least = other;
  }
  nearest[first_query + own] = nearest_in_group(points, least.group, first_query + own, n);
}

}  // namespace

void nearest_neighbor(const float3* points, int* nearest, int n) {
  if (n > 0) nearest_kernel<<<(n + queries - 1) / queries, block>>>(points, nearest, n);
}
