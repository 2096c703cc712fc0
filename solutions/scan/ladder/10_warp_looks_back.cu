// Step 10: a warp looks back, at 32 tiles at a time, each lane at one of them. A vote finds the
// nearest tile that knows its total, and a reduction adds up what counts.
//
// A block that is 32 tiles behind the last known total needs one look instead of 32 in a row. The
// lanes load 256 bytes for that, which are 0.8% of a tile.

#include "scan.h"

namespace {

constexpr int block = 512;
constexpr int warp = 32;
constexpr int warps = block / warp;
constexpr int wide = 4;                         // elements in a uint4
constexpr int each = 4;                         // loads of a thread that are in flight
constexpr int piece_size = warp * wide * each;  // elements of a warp, one row after the other
constexpr int tile_size = warps * piece_size;   // elements of a block
constexpr unsigned all_lanes = 0xffffffff;

// A lane gets the sum of the values of all lanes up to it.
__device__ unsigned scan_of_warp(unsigned own) {
  const int lane = threadIdx.x % warp;
#pragma unroll
  for (int distance = 1; distance < warp; distance *= 2) {
    const unsigned left = __shfl_up_sync(all_lanes, own, distance);
    if (lane >= distance) own += left;
  }
  return own;
}

__device__ void add(uint4& vector, unsigned number) {
  vector.x += number;
  vector.y += number;
  vector.z += number;
  vector.w += number;
}

// Loads four elements for each row of the warp's piece, which begins at element `first`.
__device__ void load(const unsigned* in, uint4 (&own)[each], int first, int n) {
  const int i = first + threadIdx.x % warp * wide;
  const uint4* const vectors = reinterpret_cast<const uint4*>(in + i);
  if (first + piece_size <= n) {
#pragma unroll
    for (int row = 0; row < each; ++row) own[row] = vectors[row * warp];
    return;
  }
#pragma unroll
  for (int row = 0; row < each; ++row) {
    const int k = i + row * warp * wide;
    own[row].x = k < n ? in[k] : 0;
    own[row].y = k + 1 < n ? in[k + 1] : 0;
    own[row].z = k + 2 < n ? in[k + 2] : 0;
    own[row].w = k + 3 < n ? in[k + 3] : 0;
  }
}

__device__ void store(unsigned* out, const uint4 (&own)[each], int first, int n) {
  const int i = first + threadIdx.x % warp * wide;
  uint4* const vectors = reinterpret_cast<uint4*>(out + i);
  if (first + piece_size <= n) {
#pragma unroll
    for (int row = 0; row < each; ++row) vectors[row * warp] = own[row];
    return;
  }
#pragma unroll
  for (int row = 0; row < each; ++row) {
    const int k = i + row * warp * wide;
    if (k < n) out[k] = own[row].x;
    if (k + 1 < n) out[k + 1] = own[row].y;
    if (k + 2 < n) out[k + 2] = own[row].z;
    if (k + 3 < n) out[k + 3] = own[row].w;
  }
}

// Scans the warp's piece, and returns its sum to all lanes.
__device__ unsigned scan_piece(uint4 (&own)[each]) {
  unsigned before = 0;  // the sum of the rows before
#pragma unroll
  for (int row = 0; row < each; ++row) {
    uint4& vector = own[row];
    vector.y += vector.x;
    vector.z += vector.y;
    vector.w += vector.z;
    const unsigned up_to = scan_of_warp(vector.w);
    add(vector, before + up_to - vector.w);
    before += __shfl_sync(all_lanes, up_to, warp - 1);
  }
  return before;
}

// What a block tells the others about its tile, in one word: a state and a number.
using Word = unsigned long long;
constexpr unsigned nothing = 0;
constexpr unsigned sum_is_there = 1;    // the number is the sum of the tile
constexpr unsigned total_is_there = 2;  // the number is the sum of all elements up to its last one

__device__ Word word_of(unsigned state, unsigned number) { return Word{state} << 32 | number; }
__device__ unsigned state_of(Word word) { return static_cast<unsigned>(word >> 32); }
__device__ unsigned number_of(Word word) { return static_cast<unsigned>(word); }

// The sum of all tiles before this one. A warp goes back 32 tiles at a time, each lane with one of
// them, until one knows its total. All lanes get the sum.
__device__ unsigned look_back(const volatile Word* words, int tile) {
  unsigned before = 0;
  for (int last = tile - 1; last >= 0; last -= warp) {
    const int other = last - static_cast<int>(threadIdx.x);
    Word word = other >= 0 ? Word{0} : word_of(total_is_there, 0);
    while (state_of(word) == nothing) word = words[other];
    const unsigned totals = __ballot_sync(all_lanes, state_of(word) == total_is_there);
    // Of the lanes with a total, the first one counts, and with it those before it.
    const bool counts = (totals & ((1u << threadIdx.x) - 1)) == 0;
    before += __shfl_sync(all_lanes, scan_of_warp(counts ? number_of(word) : 0), warp - 1);
    if (totals != 0) break;
  }
  return before;
}

__global__ void __launch_bounds__(block)
    scan_kernel(const unsigned* in, unsigned* out, unsigned* next_tile, volatile Word* words,
                int n) {
  __shared__ int tile;
  __shared__ unsigned sums[warps];    // of the warps' pieces
  __shared__ unsigned before[warps];  // what comes before each of them
  const int t = threadIdx.x, lane = t % warp, own_warp = t / warp;
  if (t == 0) tile = atomicAdd(next_tile, 1);  // tiles are given out in their order
  __syncthreads();
  const int first = tile * tile_size + own_warp * piece_size;
  uint4 own[each];
  load(in, own, first, n);
  const unsigned sum = scan_piece(own);
  if (lane == 0) sums[own_warp] = sum;
  __syncthreads();
  if (own_warp == 0) {
    const unsigned of_piece = lane < warps ? sums[lane] : 0;
    const unsigned up_to = scan_of_warp(of_piece);
    const unsigned of_tile = __shfl_sync(all_lanes, up_to, warp - 1);
    if (lane == 0) words[tile] = word_of(sum_is_there, of_tile);
    const unsigned of_others = look_back(words, tile);
    if (lane == 0) words[tile] = word_of(total_is_there, of_others + of_tile);
    if (lane < warps) before[lane] = of_others + up_to - of_piece;
  }
  __syncthreads();
#pragma unroll
  for (int row = 0; row < each; ++row) add(own[row], before[own_warp]);
  store(out, own, first, n);
}

}  // namespace

void scan(const unsigned* in, unsigned* out, unsigned* work, int n) {
  if (n == 0) return;
  const int tiles = (n - 1) / tile_size + 1;
  cudaMemsetAsync(work, 0, (1 + tiles) * sizeof(Word));
  Word* const words = reinterpret_cast<Word*>(work) + 1;
  scan_kernel<<<tiles, block>>>(in, out, work, words, n);
}
