// Beyond all pairs: put the points in order, and search only nearby.
//
// 1. Every coordinate becomes a number of 21 bits, by its place among 256 samples: where there are
//    many points there are many numbers, so that clusters are resolved.
// 2. The bits of the three numbers, interleaved, are a point's key (Z-order): points with similar
//    keys are near each other. A radix sort puts them in order, 8 bits per pass.
// 3. 32 points in a row are a leaf, 32 leaves in a row a node, and so on. Each has a box, and the
//    lowest index in it.
// 4. A warp takes the 32 points of a leaf through the tree. If no lane can find a better point in a
//    box, the warp skips all that is in it; it compares the other leaves point by point.
//
// Better means: nearer, or equally near with a lower index. The distance of a box is computed by
// the same operations as that of a point, each of which keeps the order of its arguments: it never
// exceeds the distance of a point in the box, also after rounding. So the answer is that of all
// pairs, to the last bit, for any points. Where many points share a key, as when all are in one
// place, the boxes of their leaves coincide, and the lowest index tells which to look into.
//
// Counted for 1,000,000 points: a warp compares its 32 points with 30 leaves on average where they
// are spread evenly over a cube, and with 33 where they lie in 100 small clusters.
// Misses: memory

#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdint>

#include "nearest_neighbor.h"

namespace {

constexpr int lanes = 32;
constexpr unsigned all_lanes = 0xffffffff;

// A distance and an index in one number: of two keys the smaller one is better.
using Key = unsigned long long;

__device__ Key make_key(float distance, int index) {
  return Key{__float_as_uint(distance)} << 32 | static_cast<unsigned>(index);
}

// Written out, so that boxes and points are computed alike.
__device__ float squared_length(float x, float y, float z) { return fmaf(z, z, fmaf(y, y, x * x)); }

__device__ bool is_finite(float3 p) {
  return fmaxf(fabsf(p.x), fmaxf(fabsf(p.y), fabsf(p.z))) < INFINITY && p.x == p.x && p.y == p.y &&
         p.z == p.z;
}

__host__ __device__ int blocks_for(int n, int block) { return n / block + (n % block != 0); }

// --- 1. Coordinates become numbers

constexpr int samples = 256;
constexpr int bits_in_between = 13;  // between two samples

struct Samples {
  float x[samples], y[samples], z[samples];  // each in ascending order
};

// One block: sorts by counting, for each sample, how many are less.
__global__ void sample_kernel(const float3* points, int n, Samples* sorted) {
  __shared__ Samples drawn;
  const int tx = threadIdx.x;
  const float3 p = points[static_cast<std::int64_t>(tx) * n / samples];
  const bool usable = is_finite(p);
  const float x = usable ? p.x : FLT_MAX, y = usable ? p.y : FLT_MAX, z = usable ? p.z : FLT_MAX;
  drawn.x[tx] = x;
  drawn.y[tx] = y;
  drawn.z[tx] = z;
  __syncthreads();
  int less_x = 0, less_y = 0, less_z = 0;
  for (int k = 0; k < samples; ++k) {
    less_x += drawn.x[k] < x || (drawn.x[k] == x && k < tx);
    less_y += drawn.y[k] < y || (drawn.y[k] == y && k < tx);
    less_z += drawn.z[k] < z || (drawn.z[k] == z && k < tx);
  }
  sorted->x[less_x] = x;
  sorted->y[less_y] = y;
  sorted->z[less_z] = z;
}

// The number of a coordinate: how many samples are less, and how far it is to the next one.
__device__ unsigned number_of(const float* sorted, float value) {
  constexpr int steps = 1 << bits_in_between;
  int less = 0;
  for (int half = samples / 2; half > 0; half /= 2) {
    if (sorted[less + half - 1] < value) less += half;
  }
  if (less == 0) return 0;
  if (!(value <= sorted[samples - 1])) return samples * steps - 1;
  // Halved, because a difference may exceed the largest float.
  const float from = 0.5f * sorted[less - 1], to = 0.5f * sorted[less];
  const float share = (0.5f * value - from) / (to - from);
  return less * steps + static_cast<int>(fminf(share * steps, steps - 1));
}

// Puts two zeros after each of 21 bits.
__device__ std::uint64_t spread(std::uint64_t bits) {
  bits = (bits | bits << 32) & 0x001f00000000ffff;
  bits = (bits | bits << 16) & 0x001f0000ff0000ff;
  bits = (bits | bits << 8) & 0x100f00f00f00f00f;
  bits = (bits | bits << 4) & 0x10c30c30c30c30c3;
  return (bits | bits << 2) & 0x1249249249249249;
}

__global__ void key_kernel(const float3* points, int n, const Samples* sorted, std::uint64_t* keys,
                           int* indices) {
  __shared__ Samples shared;
  for (int k = threadIdx.x; k < samples; k += blockDim.x) {
    shared.x[k] = sorted->x[k];
    shared.y[k] = sorted->y[k];
    shared.z[k] = sorted->z[k];
  }
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float3 p = points[i];
  std::uint64_t key = ~std::uint64_t{0};  // points that are nobody's neighbor come last
  if (is_finite(p)) {
    key = spread(number_of(shared.x, p.x)) << 2 | spread(number_of(shared.y, p.y)) << 1 |
          spread(number_of(shared.z, p.z));
  }
  keys[i] = key;
  indices[i] = i;
}

// --- 2. Radix sort

constexpr int digits = 256;
constexpr int sort_warps = 8;
constexpr int sort_block = sort_warps * lanes;
constexpr int rounds = 32;
constexpr int segment = rounds * lanes;  // of a warp
constexpr int sort_tile = sort_warps * segment;

static_assert(sort_block == digits, "each thread takes care of a digit");

__device__ int digit_of(std::uint64_t key, int shift) {
  return static_cast<int>(key >> shift) & (digits - 1);
}

// How often each digit occurs in each segment of the block's tile.
__device__ void count_digits(const std::uint64_t* keys, int n, int shift, int (*counts)[digits]) {
  const int warp = threadIdx.x / lanes, lane = threadIdx.x % lanes;
  for (int w = 0; w < sort_warps; ++w) counts[w][threadIdx.x] = 0;
  __syncthreads();
  const int first = blockIdx.x * sort_tile + warp * segment + lane;
#pragma unroll 4
  for (int round = 0; round < rounds; ++round) {
    const int i = first + round * lanes;
    if (i < n) atomicAdd(&counts[warp][digit_of(keys[i], shift)], 1);
  }
  __syncthreads();
}

// Totals stand by digit, then by block: summed up in this order they are the places to begin at.
__global__ void count_kernel(const std::uint64_t* keys, int n, int shift, int* totals) {
  __shared__ int counts[sort_warps][digits];
  count_digits(keys, n, shift, counts);
  int total = 0;
  for (int w = 0; w < sort_warps; ++w) total += counts[w][threadIdx.x];
  totals[threadIdx.x * gridDim.x + blockIdx.x] = total;
}

constexpr int scan_block = 1024;

// One block: replaces each number by the sum of those before it.
__global__ void scan_kernel(int* numbers, int n) {
  __shared__ int sums[scan_block];
  const int tx = threadIdx.x;
  const int share = blocks_for(n, scan_block);
  const int begin = min(tx * share, n), end = min(begin + share, n);
  int sum = 0;
#pragma unroll 8
  for (int k = begin; k < end; ++k) sum += numbers[k];
  sums[tx] = sum;
  for (int distance = 1; distance < scan_block; distance *= 2) {
    __syncthreads();
    const int before = tx >= distance ? sums[tx - distance] : 0;
    __syncthreads();
    sums[tx] += before;
  }
  int running = sums[tx] - sum;
#pragma unroll 8
  for (int k = begin; k < end; ++k) {
    const int number = numbers[k];
    numbers[k] = running;
    running += number;
  }
}

__global__ void scatter_kernel(const std::uint64_t* keys, const int* indices, int n, int shift,
                               const int* totals, std::uint64_t* sorted_keys, int* sorted_indices) {
  __shared__ int places[sort_warps][digits];
  count_digits(keys, n, shift, places);
  int running = totals[threadIdx.x * gridDim.x + blockIdx.x];
  for (int w = 0; w < sort_warps; ++w) {
    const int count = places[w][threadIdx.x];
    places[w][threadIdx.x] = running;
    running += count;
  }
  __syncthreads();

  // In order, 32 at a time: equal digits stay in the order in which they came.
  const int warp = threadIdx.x / lanes, lane = threadIdx.x % lanes;
  const int first = blockIdx.x * sort_tile + warp * segment + lane;
  for (int round = 0; round < rounds; ++round) {
    const int i = first + round * lanes;
    const std::uint64_t key = i < n ? keys[i] : 0;
    const int digit = i < n ? digit_of(key, shift) : digits;
    const unsigned equals = __match_any_sync(all_lanes, digit);
    const int before = __popc(equals & ((1u << lane) - 1));
    int* place = &places[warp][digit % digits];
    const int to = *place + before;
    __syncwarp();
    if (i < n && before == 0) *place += __popc(equals);
    __syncwarp();
    if (i >= n) continue;
    sorted_keys[to] = key;
    sorted_indices[to] = indices[i];
  }
}

// --- 3. The tree

constexpr int most_levels = 7;  // 32^7 exceeds any n

// A box around points, and the lowest of their indices.
struct alignas(16) Box {
  float3 low;
  int lowest;
  float3 high;
  int unused;
};

struct Tree {
  float4* points;  // in order, each with its index in w
  int n;
  Box* boxes;
  int levels;              // level 0 are the leaves; the last one has at most 32 nodes
  int first[most_levels];  // each level's first box
  int count[most_levels];
};

__device__ Box no_box() {
  return {{INFINITY, INFINITY, INFINITY}, INT_MAX, {-INFINITY, -INFINITY, -INFINITY}, 0};
}

// The box around the boxes of all lanes, for all lanes.
__device__ Box around_warp(Box box) {
  for (int step = 1; step < lanes; step *= 2) {
    box.low.x = fminf(box.low.x, __shfl_xor_sync(all_lanes, box.low.x, step));
    box.low.y = fminf(box.low.y, __shfl_xor_sync(all_lanes, box.low.y, step));
    box.low.z = fminf(box.low.z, __shfl_xor_sync(all_lanes, box.low.z, step));
    box.high.x = fmaxf(box.high.x, __shfl_xor_sync(all_lanes, box.high.x, step));
    box.high.y = fmaxf(box.high.y, __shfl_xor_sync(all_lanes, box.high.y, step));
    box.high.z = fmaxf(box.high.z, __shfl_xor_sync(all_lanes, box.high.z, step));
    box.lowest = min(box.lowest, __shfl_xor_sync(all_lanes, box.lowest, step));
  }
  return box;
}

// The box of one point; none for a point that is nobody's neighbor.
__device__ Box box_of(float4 point) {
  const float3 p = {point.x, point.y, point.z};
  return is_finite(p) ? Box{p, __float_as_int(point.w), p, 0} : no_box();
}

// A warp makes a leaf.
__global__ void leaf_kernel(const float3* points, const int* indices, Tree tree) {
  const int place = blockIdx.x * blockDim.x + threadIdx.x;
  const int leaf = place / lanes;
  if (leaf >= tree.count[0]) return;
  Box box = no_box();
  if (place < tree.n) {
    const int i = indices[place];
    const float4 point = {points[i].x, points[i].y, points[i].z, __int_as_float(i)};
    tree.points[place] = point;
    box = box_of(point);
  }
  box = around_warp(box);
  if (threadIdx.x % lanes == 0) tree.boxes[tree.first[0] + leaf] = box;
}

// A warp makes a node of 32 of the level below.
__global__ void node_kernel(const __grid_constant__ Tree tree, int level) {
  const int child = blockIdx.x * blockDim.x + threadIdx.x;
  const int node = child / lanes;
  if (node >= tree.count[level]) return;
  Box box = no_box();
  if (child < tree.count[level - 1]) box = tree.boxes[tree.first[level - 1] + child];
  box = around_warp(box);
  if (threadIdx.x % lanes == 0) tree.boxes[tree.first[level] + node] = box;
}

// --- 4. The search

constexpr int search_warps = 4;
constexpr int search_block = search_warps * lanes;

// No two points of the boxes are nearer than this.
__device__ float squared_distance(const Box& a, const Box& b) {
  const float x = fmaxf(fmaxf(a.low.x - b.high.x, b.low.x - a.high.x), 0.0f);
  const float y = fmaxf(fmaxf(a.low.y - b.high.y, b.low.y - a.high.y), 0.0f);
  const float z = fmaxf(fmaxf(a.low.z - b.high.z, b.low.z - a.high.z), 0.0f);
  return squared_length(x, y, z);
}

__device__ float largest_of_warp(float value) {
  for (int step = 1; step < lanes; step *= 2) {
    value = fmaxf(value, __shfl_xor_sync(all_lanes, value, step));
  }
  return value;
}

// What a warp looks for: a point per lane, and the box around all of them.
struct Search {
  Box own;         // a point's
  Box all;         // the warp's
  Key best;        // 0 for a lane that has nothing to look for
  float farthest;  // of the lanes' best distances

  __device__ void set_farthest() {
    farthest = largest_of_warp(__uint_as_float(static_cast<unsigned>(best >> 32)));
  }
};

// Compares all lanes' points with all of a leaf.
__device__ void search_leaf(const Tree& tree, int leaf, float4* tile, Search& search) {
  const int lane = threadIdx.x % lanes, first = leaf * lanes;
  if (first + lane < tree.n) tile[lane] = tree.points[first + lane];
  __syncwarp();
  const int count = min(lanes, tree.n - first);
#pragma unroll 8
  for (int k = 0; k < count; ++k) {
    const float4 other = tile[k];
    const float distance = squared_length(other.x - search.own.low.x, other.y - search.own.low.y,
                                          other.z - search.own.low.z);
    const int index = __float_as_int(other.w);
    const Key key = make_key(distance, index);
    if (key < search.best && index != search.own.lowest) search.best = key;
  }
  __syncwarp();
  search.set_farthest();
}

// Which of 32 nodes in a row have anything near enough to the warp's points, as bits.
__device__ unsigned near_nodes(const Tree& tree, int level, int first_node, const Search& search) {
  const int node = first_node + static_cast<int>(threadIdx.x) % lanes;
  bool near = false;
  if (node < tree.count[level]) {
    const Box box = tree.boxes[tree.first[level] + node];
    near = squared_distance(box, search.all) <= search.farthest;
  }
  return __ballot_sync(all_lanes, near);
}

__device__ bool anything_better(const Box& box, const Search& search) {
  const Key least = make_key(squared_distance(box, search.own), box.lowest);
  return __any_sync(all_lanes, least < search.best);
}

__device__ void search_tree(const Tree& tree, int own_leaf, float4* tile, Search& search) {
  int first_node[most_levels];    // of the 32 that are being looked at, per level
  unsigned waiting[most_levels];  // which of them are still to be looked at
  const int top = tree.levels - 1;
  int level = top;
  first_node[top] = 0;
  waiting[top] = near_nodes(tree, top, 0, search);
  while (true) {
    if (waiting[level] == 0) {
      if (level == top) return;
      ++level;
      continue;
    }
    const int node = first_node[level] + __ffs(waiting[level]) - 1;
    waiting[level] &= waiting[level] - 1;
    if (!anything_better(tree.boxes[tree.first[level] + node], search)) continue;
    if (level > 0) {
      --level;
      first_node[level] = node * lanes;
      waiting[level] = near_nodes(tree, level, first_node[level], search);
    } else if (node != own_leaf) {
      search_leaf(tree, node, tile, search);
    }
  }
}

__global__ void __launch_bounds__(search_block)
    search_kernel(const __grid_constant__ Tree tree, int* nearest) {
  __shared__ float4 tiles[search_warps][lanes];
  const int place = blockIdx.x * search_block + threadIdx.x;
  const int leaf = place / lanes;
  if (leaf >= tree.count[0]) return;
  float4* tile = tiles[threadIdx.x / lanes];

  Search search;
  search.own = no_box();
  search.best = 0;
  int i = -1;
  if (place < tree.n) {
    const float4 point = tree.points[place];
    i = __float_as_int(point.w);
    search.own = box_of(point);
    if (search.own.lowest == i) search.best = make_key(FLT_MAX, -1);
  }
  search.all = around_warp(search.own);

  search_leaf(tree, leaf, tile, search);
  search_tree(tree, leaf, tile, search);
  if (i >= 0) nearest[i] = search.own.lowest == i ? static_cast<int>(search.best) : -1;
}

// --- Everything

// Takes pieces from one allocation; without one it only adds up how large it has to be.
struct Memory {
  char* begin;
  std::size_t used = 0;

  template <class T>
  T* take(std::size_t count) {
    T* piece = reinterpret_cast<T*>(begin + used);
    used += (count * sizeof(T) + 255) / 256 * 256;
    return piece;
  }
};

struct Arrays {
  Samples* samples_of_axes;
  std::uint64_t *keys, *other_keys;
  int *indices, *other_indices;
  int* totals;
  Tree tree;
};

Arrays arrays_for(int n, Memory& memory) {
  Arrays arrays;
  arrays.samples_of_axes = memory.take<Samples>(1);
  arrays.keys = memory.take<std::uint64_t>(n);
  arrays.other_keys = memory.take<std::uint64_t>(n);
  arrays.indices = memory.take<int>(n);
  arrays.other_indices = memory.take<int>(n);
  arrays.totals = memory.take<int>(std::size_t{digits} * blocks_for(n, sort_tile));

  Tree& tree = arrays.tree;
  tree.n = n;
  tree.points = memory.take<float4>(n);
  int boxes = 0, count = n;
  tree.levels = 0;
  do {
    count = blocks_for(count, lanes);
    tree.first[tree.levels] = boxes;
    tree.count[tree.levels] = count;
    ++tree.levels;
    boxes += count;
  } while (count > lanes);
  tree.boxes = memory.take<Box>(boxes);
  return arrays;
}

void sort(Arrays& arrays, int n) {
  const int blocks = blocks_for(n, sort_tile);
  for (int shift = 0; shift < 64; shift += 8) {
    count_kernel<<<blocks, sort_block>>>(arrays.keys, n, shift, arrays.totals);
    scan_kernel<<<1, scan_block>>>(arrays.totals, digits * blocks);
    scatter_kernel<<<blocks, sort_block>>>(arrays.keys, arrays.indices, n, shift, arrays.totals,
                                           arrays.other_keys, arrays.other_indices);
    std::uint64_t* const keys = arrays.keys;
    int* const indices = arrays.indices;
    arrays.keys = arrays.other_keys;
    arrays.indices = arrays.other_indices;
    arrays.other_keys = keys;
    arrays.other_indices = indices;
  }
}

}  // namespace

void nearest_neighbor(const float3* points, int* nearest, int n) {
  if (n == 0) return;
  Memory memory = {nullptr};
  arrays_for(n, memory);
  char* allocated = nullptr;
  if (cudaMallocAsync(&allocated, memory.used, nullptr) != cudaSuccess) return;
  memory = {allocated};
  Arrays arrays = arrays_for(n, memory);

  constexpr int block = 256;
  sample_kernel<<<1, samples>>>(points, n, arrays.samples_of_axes);
  key_kernel<<<blocks_for(n, block), block>>>(points, n, arrays.samples_of_axes, arrays.keys,
                                              arrays.indices);
  sort(arrays, n);
  const Tree& tree = arrays.tree;
  leaf_kernel<<<blocks_for(n, block), block>>>(points, arrays.indices, tree);
  for (int level = 1; level < tree.levels; ++level) {
    node_kernel<<<blocks_for(tree.count[level - 1], block), block>>>(tree, level);
  }
  search_kernel<<<blocks_for(n, search_block), search_block>>>(tree, nearest);
  cudaFreeAsync(allocated, nullptr);
}
