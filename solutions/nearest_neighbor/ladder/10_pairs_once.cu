// Step 10: each pair once. A point is as far from its neighbor as the neighbor from the point: the
// test of step 9 serves both.
//
// With points relative to the center and w = |p|^2 / 2 + a little, h = w of one + w of the other -
// their product = |p - q|^2 / 2 + twice that little is the same from both sides, and never
// negative. A thread has eight points, against which it takes two others at a time: a minimum of
// three per own point for the two others, and minima of three for each of the others over the own
// eight.
//
// Each point's bound is in memory, and a block reads those of a tile together with its points.
// Bounds come from a first look at a thousand points, by the distance itself, and fall with each
// find. A find is noted in a list as in step 9: a point, and a group of points to compare it with.
// For one of the block's own points that is a group of the tile; for one of the tile's it is the
// eight points of the thread that found it, which keeps a bit for each point of the group until
// then. Blocks change bounds while others read them, so bounds are read by an atomic operation that
// changes nothing. An old bound would be right as well, only higher.
//
// Blocks of 256 points form a circle. Each meets the half of the circle that follows it; it has met
// itself in the first look.
//
// Errors, with u = 2^-24 and |p| <= R: no step of h exceeds 2.5 R^2. The 3 multiply-adds, each
// rounded at most twice, the sum of both w, the w themselves, and moving p make h wrong by less
// than 20u R^2: with 16u R^2 added to either w it is not below 0. Distances are wrong by 6u of
// 4R^2, half of which counts in h. So if one point has h and another is as near, the other's h is
// less than 64u R^2 higher.
//
// Per two pairs, as the steps before count them: 3 multiply-adds, 1 addition, 1/2 + 1/2 minimum.
// Per eight such, a read and a test, and a few more to keep what was found.
// Slots: 5.6 per pair (3 FFMA)

#include <cfloat>
#include <climits>
#include <cmath>

#include "nearest_neighbor.h"

namespace {

constexpr int lanes = 32;
constexpr int warps = 8;
constexpr int block = warps * lanes;
constexpr int own_per_thread = 8;
constexpr int own_size = lanes * own_per_thread;  // of a block, and of each of its warps
constexpr int group_size = 32;
constexpr int part_size = 16;  // of a group: the part that the compiler unrolls
constexpr int tile_size = 1024;
constexpr int slice = tile_size / warps;  // of each tile, for one warp
constexpr int first_look = 1024;
constexpr int list_size = 1024;
constexpr int long_list = 256;
constexpr int enough_blocks = 4096;

constexpr float lift = 0x1p-20f;    // 16u of R^2
constexpr float margin = 0x1p-18f;  // 64u of R^2
constexpr float too_large = 1e37f;  // for R^2: h might overflow

static_assert(own_size == block, "each thread fetches the bound of one own point");

// A distance and an index in one number: of two keys the smaller one is better.
using Key = unsigned long long;

__device__ Key make_key(float distance, int index) {
  return Key{__float_as_uint(distance)} << 32 | static_cast<unsigned>(index);
}

struct Frame {
  float3 center;
  float reach;  // R^2
};

// Written by frame_kernel, read by those after it. Calls in one stream take turns.
__device__ Frame frame;

// What is kept of each point, padded to whole blocks.
struct Arrays {
  float4* slots;  // relative to the center, and w
  Key* keys;      // the nearest so far
  unsigned* bounds;
};

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

// A slot that is near nothing: for slots past the end and for points at no finite distance.
__device__ float4 empty_slot() { return make_float4(0, 0, 0, INFINITY); }

__device__ float4 make_slot(const float3* points, int j, int n) {
  if (j >= n) return empty_slot();
  const float3 b = minus(points[j], frame.center);
  const float square = squared_length(b);
  if (!(square < INFINITY)) return empty_slot();
  return make_float4(b.x, b.y, b.z, 0.5f * square + lift * frame.reach);
}

// The most that h can be for a point at this distance. Bits are compared, in which NaN is larger
// than infinity; the largest bound lets everything through.
__device__ unsigned bound_for(float distance) {
  if (!(frame.reach < too_large)) return UINT_MAX;
  return __float_as_uint(0.5f * distance + (margin + 2 * lift) * frame.reach);
}

// Compares each point with those of its block and some that follow, one thread per point.
__global__ void first_look_kernel(const float3* points, int n, Arrays arrays) {
  __shared__ float3 tile[block];
  const int tx = threadIdx.x, i = blockIdx.x * block + tx, padded = gridDim.x * block;
  const float3 own = points[min(i, n - 1)];
  float best = FLT_MAX;
  int best_index = -1;
  for (int ahead = 0; ahead < min(first_look, padded); ahead += block) {
    const int first = (blockIdx.x * block + ahead) % padded;
    tile[tx] = points[min(first + tx, n - 1)];
    __syncthreads();
    const int count = min(block, n - first);
#pragma unroll 8
    for (int k = 0; k < count; ++k) {
      const float distance = squared_length(minus(own, tile[k]));
      if (distance < best && first + k != i) {
        best = distance;
        best_index = first + k;
      }
    }
    __syncthreads();
  }
  const float4 slot = make_slot(points, i, n);
  arrays.slots[i] = slot;
  arrays.keys[i] = make_key(best, best_index);
  // A point that is near nothing need not be compared.
  arrays.bounds[i] = slot.w < INFINITY || !(frame.reach < too_large) ? bound_for(best) : 0;
}

// Points [begin, end) are to be compared with `point`, which may be one of them.
struct Find {
  int point, begin, end;
};

__device__ void compare(const Find& find, const float3* points, int n, const Arrays& arrays) {
  if (find.point >= n) return;
  const float3 own = points[find.point];
  float best = FLT_MAX;
  int best_index = -1;
#pragma unroll 4
  for (int j = find.begin; j < min(find.end, n); ++j) {
    const float distance = squared_length(minus(own, points[j]));
    if (j != find.point && distance < best) {
      best = distance;
      best_index = j;
    }
  }
  atomicMin(&arrays.keys[find.point], make_key(best, best_index));
  atomicMin(&arrays.bounds[find.point], bound_for(best));
}

struct List {
  int count;  // may exceed what the list holds
  Find finds[list_size];

  __device__ bool add(const Find& find) {
    const int place = atomicAdd(&count, 1);
    if (place < list_size) finds[place] = find;
    return place < list_size;
  }
};

__device__ void note(const Find& find, List& list, const float3* points, int n,
                     const Arrays& arrays) {
  if (!list.add(find)) compare(find, points, n, arrays);
}

__device__ void compare_list(const List& list, const float3* points, int n, const Arrays& arrays) {
  for (int place = threadIdx.x; place < min(list.count, list_size); place += block) {
    compare(list.finds[place], points, n, arrays);
  }
}

// Lowers `least` of each of the thread's own points to its least h with a point of the group.
// Returns a bit for each point of the group whose h with one of the own points is within its bound.
__device__ unsigned meet(const float4* group, const uint4* bounds, const float4* own,
                         unsigned* least) {
  unsigned found = 0;
#pragma unroll 1
  for (int part = 0; part < group_size; part += part_size) {
    unsigned found_in_part = 0;
#pragma unroll
    for (int k = 0; k < part_size; k += 2) {
      const float4 a = group[part + k], b = group[part + k + 1];
      unsigned of_a[own_per_thread], of_b[own_per_thread];
#pragma unroll
      for (int r = 0; r < own_per_thread; ++r) {
        const float4 p = own[r];
        of_a[r] = __float_as_uint(p.w - p.x * a.x - p.y * a.y - p.z * a.z + a.w);
        of_b[r] = __float_as_uint(p.w - p.x * b.x - p.y * b.y - p.z * b.z + b.w);
        least[r] = __vimin3_u32(least[r], of_a[r], of_b[r]);
      }
      unsigned least_a = UINT_MAX, least_b = UINT_MAX;
#pragma unroll
      for (int r = 0; r < own_per_thread; r += 2) {
        least_a = __vimin3_u32(least_a, of_a[r], of_a[r + 1]);
        least_b = __vimin3_u32(least_b, of_b[r], of_b[r + 1]);
      }
      const uint4 bound = bounds[part / 4 + k / 4];
      if (least_a <= (k % 4 == 0 ? bound.x : bound.z)) found_in_part |= 1u << k;
      if (least_b <= (k % 4 == 0 ? bound.y : bound.w)) found_in_part |= 2u << k;
    }
    found |= found_in_part << part;
  }
  return found;
}

// Block (b, s) takes its 256 points through a share of those that follow.
__global__ void __launch_bounds__(block, 2)
    pairs_kernel(const float3* points, int n, Arrays arrays, int share) {
  __shared__ float4 tile[tile_size];
  __shared__ uint4 tile_bounds[tile_size / 4];
  __shared__ uint4 own_bounds[own_size / 4];
  __shared__ List list;
  const int tx = threadIdx.x, lane = tx % lanes;
  const int blocks = gridDim.x, padded = blocks * own_size;
  const int first_of_block = blockIdx.x * own_size;
  const int first_own = first_of_block + lane * own_per_thread;

  float4 own[own_per_thread];
#pragma unroll
  for (int r = 0; r < own_per_thread; ++r) own[r] = arrays.slots[first_own + r];
  if (tx == 0) list.count = 0;

  // Other blocks lower bounds meanwhile, so an atomic operation reads them.
  const auto bound_of = [&](int j) { return atomicMin(&arrays.bounds[j], UINT_MAX); };

  // Of two blocks that are opposite in the circle, only the first one meets the other.
  const bool faces_later = blocks % 2 == 0 && static_cast<int>(blockIdx.x) < blocks / 2;
  const int others = ((blocks - 1) / 2 + faces_later) * own_size;
  const int begin = blockIdx.y * share, end = min(begin + share, others);
  for (int ahead = begin; ahead < end; ahead += tile_size) {
    const int first = first_of_block + own_size + ahead;
    for (int slot = tx; slot < tile_size; slot += block) {
      const int j = (first + slot) % padded;
      const bool is_other = ahead + slot < end;
      tile[slot] = is_other ? arrays.slots[j] : empty_slot();
      reinterpret_cast<unsigned*>(tile_bounds)[slot] = is_other ? bound_of(j) : 0;
    }
    reinterpret_cast<unsigned*>(own_bounds)[tx] = bound_of(first_of_block + tx);
    __syncthreads();
    unsigned bound[own_per_thread];
#pragma unroll
    for (int r = 0; r < own_per_thread; r += 4) {
      const uint4 four = own_bounds[(lane * own_per_thread + r) / 4];
      bound[r] = four.x, bound[r + 1] = four.y, bound[r + 2] = four.z, bound[r + 3] = four.w;
    }

    const int first_slot = tx / lanes * slice;
    for (int slot = first_slot; slot < first_slot + slice; slot += group_size) {
      unsigned least[own_per_thread];
#pragma unroll
      for (int r = 0; r < own_per_thread; ++r) least[r] = UINT_MAX;
      unsigned found = meet(tile + slot, tile_bounds + slot / 4, own, least);
      const int group = (first + slot) % padded;
      while (found != 0) {
        const int place = group + __ffs(found) - 1;
        note({place, first_own, first_own + own_per_thread}, list, points, n, arrays);
        found &= found - 1;
      }
#pragma unroll
      for (int r = 0; r < own_per_thread; ++r) {
        if (least[r] > bound[r]) continue;
        note({first_own + r, group, group + group_size}, list, points, n, arrays);
      }
    }
    __syncthreads();
    if (list.count > long_list || ahead + tile_size >= end) {
      compare_list(list, points, n, arrays);
      __syncthreads();
      if (tx == 0) list.count = 0;
    }
  }
}

__global__ void write_kernel(const Key* keys, int* nearest, int n) {
  const int i = blockIdx.x * block + threadIdx.x;
  if (i < n) nearest[i] = static_cast<int>(keys[i]);
}

Arrays arrays_in(char* memory, int padded) {
  Arrays arrays;
  arrays.slots = reinterpret_cast<float4*>(memory);
  arrays.keys = reinterpret_cast<Key*>(arrays.slots + padded);
  arrays.bounds = reinterpret_cast<unsigned*>(arrays.keys + padded);
  return arrays;
}

int blocks_for(int count, int per_block) { return (count + per_block - 1) / per_block; }

}  // namespace

void nearest_neighbor(const float3* points, int* nearest, int n) {
  if (n == 0) return;
  const int blocks = blocks_for(n, block), padded = blocks * block;
  char* memory = nullptr;
  const size_t bytes_per_point = sizeof(float4) + sizeof(Key) + sizeof(unsigned);
  if (cudaMallocAsync(&memory, padded * bytes_per_point, nullptr) != cudaSuccess) return;
  const Arrays arrays = arrays_in(memory, padded);

  frame_kernel<<<1, frame_block>>>(points, n);
  first_look_kernel<<<blocks, block>>>(points, n, arrays);
  if (const int tiles = blocks_for(blocks / 2 * own_size, tile_size); tiles > 0) {
    const int wanted = blocks_for(enough_blocks, blocks);
    const int shares = wanted < tiles ? wanted : tiles;
    const int share = blocks_for(tiles, shares) * tile_size;
    pairs_kernel<<<dim3(blocks, shares), block>>>(points, n, arrays, share);
  }
  write_kernel<<<blocks, block>>>(arrays.keys, nearest, n);
  cudaFreeAsync(memory, nullptr);
}
