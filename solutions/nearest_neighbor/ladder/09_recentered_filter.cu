// Step 9: the cheaper test of step 7, with two points per minimum as in step 8, and its finds in a
// list.
//
// Points are taken relative to the center of the box around all of them, so that the test loses no
// more digits than the size of the cloud costs, wherever the cloud lies. With q and b taken this
// way, and R the box's half diagonal, h = R^2 + |b|^2 / 2 - q.b = R^2 - |q|^2 / 2 + |q - b|^2 / 2
// orders the points as the distance does, takes 3 multiply-adds, and is never negative: its bits
// are ordered, and the minimum of three can be used.
//
// If h of a point exceeds the least by more than rounding explains, another one is nearer. So each
// query has a bound, and a group of 32 whose least h is below it is noted in a list and lowers the
// bound. For one lane that is rare, but not among the 32 lanes of a warp, and this divergence would
// make the others wait. So the groups of the list are compared point by point later, one per
// thread. The first tile is scanned twice, at first for the bounds alone. Counted for 40,000 points
// spread evenly over a cube: 5.2 of 1250 groups are compared per query. Where clusters are much
// smaller than the cloud, every group may be: slow, but right.
//
// Errors, with u = 2^-24: every |p| <= R, so no step of h exceeds 2.5 R^2. The 3 steps, each
// rounded at most twice, |b|^2 / 2 and the sum with R^2, and moving p make h wrong by less than 20u
// R^2. Distances are wrong by 6u of 4R^2, so of two that come out equal one h may exceed the other
// by 24u R^2. Twice the one and once the other are 64u R^2.
//
// Per pair: 3 instructions for h, 1/2 minimum, 1/8 read.
//
// In tests with few points, much of the traffic comes from the list, which leads to scattered
// points.
// Slots: 3.7 per pair (3 FFMA)

#include <cfloat>
#include <climits>
#include <cmath>

#include "nearest_neighbor.h"

namespace {

constexpr int lanes = 32;
constexpr int warps = 8;
constexpr int block = warps * lanes;
constexpr int queries_per_thread = 8;
constexpr int queries = lanes * queries_per_thread;  // of a block, and of each of its warps
constexpr int group_size = 32;
constexpr int tile_size = 1024;
constexpr int slice = tile_size / warps;  // of each tile, for one warp
constexpr int list_size = 2 * queries;

constexpr float margin = 0x1p-18f;  // 64u of R^2
constexpr float too_large = 1e37f;  // for R^2: h might overflow

static_assert(queries == block, "in the end each thread answers one query");
static_assert(queries % group_size == 0, "a group holds only points of the block's own, or none");

// A distance and an index in one number: of two keys the smaller one is better.
using Key = unsigned long long;

__device__ Key make_key(float distance, int index) {
  return Key{__float_as_uint(distance)} << 32 | static_cast<unsigned>(index);
}

struct Frame {
  float3 center;
  float reach;  // R^2
};

// Written by frame_kernel, read by nearest_kernel. Calls in one stream take turns.
__device__ Frame frame;

// One block: the box around all points with finite coordinates.
constexpr int frame_block = 1024;

__global__ void frame_kernel(const float3* points, int n) {
  __shared__ float3 lows[frame_block], highs[frame_block];
  const int tx = threadIdx.x;
  float3 low = {FLT_MAX, FLT_MAX, FLT_MAX}, high = {-FLT_MAX, -FLT_MAX, -FLT_MAX};
#pragma unroll 4
  for (int j = tx; j < n; j += frame_block) {
    const float3 p = points[j];
    if (!(fmaxf(fabsf(p.x), fmaxf(fabsf(p.y), fabsf(p.z))) < INFINITY)) continue;
    low = {fminf(low.x, p.x), fminf(low.y, p.y), fminf(low.z, p.z)};
    high = {fmaxf(high.x, p.x), fmaxf(high.y, p.y), fmaxf(high.z, p.z)};
  }
  lows[tx] = low;
  highs[tx] = high;
  for (int half = frame_block / 2; half > 0; half /= 2) {
    __syncthreads();
    if (tx >= half) continue;
    const float3 l = lows[tx + half], h = highs[tx + half];
    lows[tx] = {fminf(lows[tx].x, l.x), fminf(lows[tx].y, l.y), fminf(lows[tx].z, l.z)};
    highs[tx] = {fmaxf(highs[tx].x, h.x), fmaxf(highs[tx].y, h.y), fmaxf(highs[tx].z, h.z)};
  }
  if (tx > 0) return;
  low = lows[0];
  high = highs[0];
  const float3 center = {0.5f * low.x + 0.5f * high.x, 0.5f * low.y + 0.5f * high.y,
                         0.5f * low.z + 0.5f * high.z};
  const float x = fmaxf(high.x - center.x, center.x - low.x);
  const float y = fmaxf(high.y - center.y, center.y - low.y);
  const float z = fmaxf(high.z - center.z, center.z - low.z);
  frame = {center, 1.000001f * (x * x + y * y + z * z)};
}

__device__ float squared_length(float3 a) { return a.x * a.x + a.y * a.y + a.z * a.z; }

__device__ float3 minus(float3 a, float3 b) { return make_float3(a.x - b.x, a.y - b.y, a.z - b.z); }

// A point relative to the center, and the part of h that does not depend on the query. Points past
// the end and points at no finite distance get an infinite h.
__device__ float4 load_slot(const float3* points, int j, int n) {
  const float3 b = minus(points[min(j, n - 1)], frame.center);
  const float square = squared_length(b);
  if (j >= n || !(square < INFINITY)) return make_float4(0, 0, 0, INFINITY);
  return make_float4(b.x, b.y, b.z, 0.5f * square + frame.reach);
}

__device__ float3 load_query(const float3* points, int i, int n) {
  const float3 q = minus(points[min(i, n - 1)], frame.center);
  return squared_length(q) < INFINITY ? q : make_float3(0, 0, 0);
}

// The most that h can be for a point that is as near as the one with this h. Bits are compared, in
// which NaN is larger than infinity; the largest bound lets everything through.
__device__ unsigned bound_for(unsigned h) {
  if (!(frame.reach < too_large)) return UINT_MAX;
  return __float_as_uint(__uint_as_float(h) + margin * frame.reach);
}

// The best of the group for point i, by the distance itself.
__device__ Key nearest_in_group(const float3* points, int group, int i, int n) {
  const float3 query = points[i];
  float best = FLT_MAX;
  int best_index = -1;
#pragma unroll 4
  for (int j = group; j < min(group + group_size, n); ++j) {
    const float distance = squared_length(minus(query, points[j]));
    if (j != i && distance < best) {
      best = distance;
      best_index = j;
    }
  }
  return make_key(best, best_index);
}

// Groups that are to be compared, each for one of the block's queries.
struct List {
  int count;  // may exceed what the list holds
  int2 items[list_size];

  __device__ bool add(int group, int own) {
    const int item = atomicAdd(&count, 1);
    if (item < list_size) items[item] = make_int2(group, own);
    return item < list_size;
  }
};

// The least h of a group, per query, in bits. With `own_group` point i[r] is left out for query r.
template <bool own_group>
__device__ void find_least(const float4* group, int first, const float3* query, int first_query,
                           unsigned* least) {
#pragma unroll
  for (int r = 0; r < queries_per_thread; ++r) least[r] = UINT_MAX;
#pragma unroll(own_group ? 1 : 8)
  for (int k = 0; k < group_size; k += 2) {
    const float4 a = group[k], b = group[k + 1];
#pragma unroll
    for (int r = 0; r < queries_per_thread; ++r) {
      const float3 q = query[r];
      float of_a = a.w - q.x * a.x - q.y * a.y - q.z * a.z;
      float of_b = b.w - q.x * b.x - q.y * b.y - q.z * b.z;
      const int i = first_query + r * lanes + static_cast<int>(threadIdx.x) % lanes;
      if (own_group && first + k == i) of_a = INFINITY;
      if (own_group && first + k + 1 == i) of_b = INFINITY;
      least[r] = __vimin3_u32(least[r], __float_as_uint(of_a), __float_as_uint(of_b));
    }
  }
}

// Scans a warp's slice of the tile that begins with point `first`. While `seeding` it looks for
// bounds only.
template <bool seeding>
__device__ void scan_slice(const float4* tile, int first, const float3* points, int n,
                           const float3* query, unsigned* bound, List& list, Key* keys) {
  const int first_query = blockIdx.x * queries;
  const int begin = threadIdx.x / lanes * slice;
  for (int group = begin; group < begin + slice; group += group_size) {
    unsigned least[queries_per_thread];
    if ((first + group) / queries == blockIdx.x) {
      find_least<true>(tile + group, first + group, query, first_query, least);
    } else {
      find_least<false>(tile + group, first + group, query, first_query, least);
    }
    bool found = seeding;
#pragma unroll
    for (int r = 0; r < queries_per_thread; ++r) found |= least[r] <= bound[r];
    if (!found) continue;
#pragma unroll
    for (int r = 0; r < queries_per_thread; ++r) {
      if (least[r] > bound[r]) continue;
      bound[r] = min(bound[r], bound_for(least[r]));
      const int own = r * lanes + threadIdx.x % lanes, i = first_query + own;
      if (seeding || i >= n || list.add(first + group, own)) continue;
      atomicMin(&keys[own], nearest_in_group(points, first + group, i, n));
    }
  }
}

__device__ void compare_list(const float3* points, int n, const List& list, Key* keys) {
  const int first_query = blockIdx.x * queries;
  for (int item = threadIdx.x; item < min(list.count, list_size); item += block) {
    const int group = list.items[item].x, own = list.items[item].y;
    atomicMin(&keys[own], nearest_in_group(points, group, first_query + own, n));
  }
}

__global__ void __launch_bounds__(block, 2)
    nearest_kernel(const float3* points, int* nearest, int n) {
  __shared__ float4 tile[tile_size];
  __shared__ unsigned bounds[queries];
  __shared__ Key keys[queries];
  __shared__ List list;
  const int tx = threadIdx.x, lane = tx % lanes;
  const int first_query = blockIdx.x * queries;

  float3 query[queries_per_thread];
  unsigned bound[queries_per_thread];
#pragma unroll
  for (int r = 0; r < queries_per_thread; ++r) {
    query[r] = load_query(points, first_query + r * lanes + lane, n);
    bound[r] = UINT_MAX;
  }
  bounds[tx] = UINT_MAX;
  keys[tx] = make_key(FLT_MAX, -1);
  if (tx == 0) list.count = 0;

  bool seeding = true;
  for (int first = 0; first < n;) {
    for (int slot = tx; slot < tile_size; slot += block) {
      tile[slot] = load_slot(points, first + slot, n);
    }
    __syncthreads();
    if (seeding) {
      scan_slice<true>(tile, first, points, n, query, bound, list, keys);
    } else {
      scan_slice<false>(tile, first, points, n, query, bound, list, keys);
    }
#pragma unroll
    for (int r = 0; r < queries_per_thread; ++r) atomicMin(&bounds[r * lanes + lane], bound[r]);
    __syncthreads();
#pragma unroll
    for (int r = 0; r < queries_per_thread; ++r) bound[r] = bounds[r * lanes + lane];
    if (!seeding) first += tile_size;
    seeding = false;
    if (list.count > list_size / 2 || first >= n) {
      compare_list(points, n, list, keys);
      __syncthreads();
      if (tx == 0) list.count = 0;
    }
  }

  const int i = first_query + tx;
  if (i < n) nearest[i] = static_cast<int>(keys[tx]);
}

}  // namespace

void nearest_neighbor(const float3* points, int* nearest, int n) {
  if (n == 0) return;
  frame_kernel<<<1, frame_block>>>(points, n);
  nearest_kernel<<<(n + queries - 1) / queries, block>>>(points, nearest, n);
}
