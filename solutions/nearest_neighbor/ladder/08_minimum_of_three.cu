// Step 8, beyond the reference solution: two distances per minimum, and no warp waits for another.
//
// Distances are not negative, and the bits of such floats, read as unsigned integers, are ordered
// as the floats are; infinity and every NaN come last. For integers, GPUs of compute capability 9.0
// and later have a minimum of three in one instruction: it takes in two more points at a time, so a
// pair costs half an instruction instead of one.
//
// Each warp has a tile of its own, of 64 points: it loads them, and no other warp reads them, so
// the loop needs no barrier, and while a warp waits for its points, others compute. The warps of a
// block search for the same points in different tiles, and compare what they found at the end. So
// few points keep a multiprocessor busy: a block takes 128 points where there are few, and 256,
// eight per thread, where there are enough for all multiprocessors.
//
// Per pair: 6 instructions for the distance, 1/2 minimum, 1/8 read, and less than 1/5 for each
// group of 64.
//
// In tests with few points much of the traffic comes from the last search, whose reads are
// scattered.
// Slots: 6.6 per pair (1 FMUL)
// Misses: memory

#include <cfloat>
#include <climits>
#include <cmath>

#include "nearest_neighbor.h"

namespace {

constexpr int lanes = 32;
constexpr int group_size = 64;  // a warp's tile

// A block's shape, by how many points a thread searches for.
template <int queries_per_thread>
struct Shape {
  static constexpr int warps = 64 / queries_per_thread;
  static constexpr int block = warps * lanes;
  static constexpr int queries =
      queries_per_thread * lanes;  // of a block, and of each of its warps
  static_assert(queries % group_size == 0, "a tile holds only points of the block's own, or none");
  static_assert(queries <= block, "in the end each query has a thread");
};

// The bits of the least distance that was seen, and the first point of the group in which it was.
struct Candidate {
  unsigned distance;
  int group = INT_MAX;
};

__device__ float squared_distance(float3 a, float3 b) {
  const float dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
  return dx * dx + dy * dy + dz * dz;
}

// Past the last point this is one at no finite distance.
__device__ float4 load_slot(const float3* points, int j, int n) {
  if (j >= n) return make_float4(INFINITY, INFINITY, INFINITY, 0);
  const float3 point = points[j];
  return make_float4(point.x, point.y, point.z, 0);
}

// Scans the tile that begins with point `first`. With `own_tile` it leaves out point i[r] for query
// r.
template <bool own_tile, int queries_per_thread>
__device__ void scan(const float4* tile, int first, const float3* query, const int* i,
                     Candidate* best) {
  unsigned least[queries_per_thread];
#pragma unroll
  for (int r = 0; r < queries_per_thread; ++r) least[r] = __float_as_uint(FLT_MAX);
#pragma unroll(own_tile ? 1 : 128 / queries_per_thread)
  for (int k = 0; k < group_size; k += 2) {
    const float4 a = tile[k], b = tile[k + 1];
#pragma unroll
    for (int r = 0; r < queries_per_thread; ++r) {
      float to_a = squared_distance(query[r], make_float3(a.x, a.y, a.z));
      float to_b = squared_distance(query[r], make_float3(b.x, b.y, b.z));
      if (own_tile && first + k == i[r]) to_a = FLT_MAX;
      if (own_tile && first + k + 1 == i[r]) to_b = FLT_MAX;
      least[r] = __vimin3_u32(least[r], __float_as_uint(to_a), __float_as_uint(to_b));
    }
  }
#pragma unroll
  for (int r = 0; r < queries_per_thread; ++r) {
    if (least[r] < best[r].distance) best[r] = {least[r], first};
  }
}

// The point of the group that is nearest to point i; -1 if there is no group.
__device__ int nearest_in_group(const float3* points, int group, int i, int n) {
  if (group == INT_MAX) return -1;
  const float3 query = points[i];
  float best = FLT_MAX;
  int best_index = -1;
  for (int j = group; j < min(group + group_size, n); ++j) {
    const float distance = squared_distance(query, points[j]);
    if (j != i && distance < best) {
      best = distance;
      best_index = j;
    }
  }
  return best_index;
}

// Two blocks share a multiprocessor, so that one computes while the other begins or ends.
template <int queries_per_thread>
__global__ void __launch_bounds__(Shape<queries_per_thread>::block, 2)
    nearest_kernel(const float3* points, int* nearest, int n) {
  constexpr int warps = Shape<queries_per_thread>::warps;
  constexpr int queries = Shape<queries_per_thread>::queries;
  __shared__ float4 tiles[warps][group_size];
  __shared__ unsigned distances[warps][queries];
  __shared__ int groups[warps][queries];
  const int lane = threadIdx.x % lanes, warp = threadIdx.x / lanes;
  const int first_query = blockIdx.x * queries;
  float4* tile = tiles[warp];

  int i[queries_per_thread];
  float3 query[queries_per_thread];
  Candidate best[queries_per_thread];
#pragma unroll
  for (int r = 0; r < queries_per_thread; ++r) {
    i[r] = first_query + r * lanes + lane;
    query[r] = points[min(i[r], n - 1)];
    best[r].distance = __float_as_uint(FLT_MAX);
  }

  for (int first = warp * group_size; first < n; first += warps * group_size) {
#pragma unroll
    for (int slot = lane; slot < group_size; slot += lanes) {
      tile[slot] = load_slot(points, first + slot, n);
    }
    __syncwarp();
    if (first / queries == blockIdx.x) {
      scan<true, queries_per_thread>(tile, first, query, i, best);
    } else {
      scan<false, queries_per_thread>(tile, first, query, i, best);
    }
    __syncwarp();
  }

#pragma unroll
  for (int r = 0; r < queries_per_thread; ++r) {
    distances[warp][r * lanes + lane] = best[r].distance;
    groups[warp][r * lanes + lane] = best[r].group;
  }
  __syncthreads();

  // From here on a thread has one query, or none.
  const int own = threadIdx.x;
  if (own >= queries || first_query + own >= n) return;
  Candidate least = {distances[0][own], groups[0][own]};
  for (int w = 1; w < warps; ++w) {
    const Candidate other = {distances[w][own], groups[w][own]};
    // Of equally near points the one with the lowest index counts, whichever warp found it.
    const bool lower = other.distance == least.distance && other.group < least.group;
    if (other.distance < least.distance || lower) least = other;
  }
  nearest[first_query + own] = nearest_in_group(points, least.group, first_query + own, n);
}

template <int queries_per_thread>
void launch(const float3* points, int* nearest, int n) {
  using Of = Shape<queries_per_thread>;
  const int grid = (n + Of::queries - 1) / Of::queries;
  nearest_kernel<queries_per_thread><<<grid, Of::block>>>(points, nearest, n);
}

}  // namespace

void nearest_neighbor(const float3* points, int* nearest, int n) {
  constexpr int enough = 1 << 16;
  if (n >= enough) {
    launch<8>(points, nearest, n);
  } else if (n > 0) {
    launch<4>(points, nearest, n);
  }
}
