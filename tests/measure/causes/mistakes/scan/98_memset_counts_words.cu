// CAUSE: cudaMemsetAsync takes a number of bytes, but gets the number of words, so only a quarter of the counter and states is set to 0.
// LINES: 106
// REPAIR: line 106: `cudaMemsetAsync(work, 0, 1 + tiles);` -> `cudaMemsetAsync(work, 0, (1 + tiles) * sizeof(unsigned));`
// SYMPTOM: For all but the smallest n, leftover states in work are taken for sums or totals, and blocks add arbitrary numbers; with one tile the counter may be half cleared.

#include "scan.h"

// One launch: each block scans a tile of 1024 and looks back for what comes before it.
//
// work: a counter, then a state per tile, then a sum per tile, then a total per tile.

namespace {

constexpr int block = 256;
constexpr int each = 4;
constexpr int tile_size = block * each;

enum State : unsigned { nothing = 0, has_sum = 1, has_total = 2 };

__device__ unsigned inclusive_warp_scan(unsigned value, int lane) {
  for (int d = 1; d < 32; d *= 2) {
    const unsigned other = __shfl_up_sync(0xffffffffu, value, d);
    value += lane >= d ? other : 0;
  }
  return value;
}

__device__ unsigned look_back(int tile, unsigned sum, volatile unsigned* states, unsigned* sums,
                              unsigned* totals) {
  unsigned before = 0;
  if (tile > 0) {
    sums[tile] = sum;
    __threadfence();
    states[tile] = has_sum;
    for (int p = tile - 1;; --p) {
      unsigned state;
      do state = states[p];
      while (state == nothing);
      __threadfence();
      if (state == has_total) {
        before += totals[p];
        break;
      }
      before += sums[p];
    }
  }
  totals[tile] = before + sum;
  __threadfence();
  states[tile] = has_total;
  return before;
}

__global__ void scan_kernel(const unsigned* in, unsigned* out, unsigned* counter,
                            volatile unsigned* states, unsigned* sums, unsigned* totals, int n) {
  __shared__ unsigned warp_sum[block / 32];
  __shared__ unsigned my_tile, before_tile;
  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
  if (t == 0) my_tile = atomicAdd(counter, 1u);
  __syncthreads();
  const int tile = my_tile;
  const int first = tile * tile_size + each * t;

  unsigned value[each] = {0, 0, 0, 0};
  const bool full = first + each <= n;
  if (full) {
    const uint4 four = *reinterpret_cast<const uint4*>(&in[first]);
    value[0] = four.x, value[1] = four.y, value[2] = four.z, value[3] = four.w;
  } else {
    for (int k = 0; k < each; ++k)
      if (first + k < n) value[k] = in[first + k];
  }
  for (int k = 1; k < each; ++k) value[k] += value[k - 1];

  const unsigned through = inclusive_warp_scan(value[each - 1], lane);
  if (lane == 31) warp_sum[warp] = through;
  __syncthreads();
  unsigned offset = through - value[each - 1];
  unsigned sum = 0;
  for (int w = 0; w < block / 32; ++w) {
    if (w < warp) offset += warp_sum[w];
    sum += warp_sum[w];
  }

  if (t == 0) before_tile = look_back(tile, sum, states, sums, totals);
  __syncthreads();
  offset += before_tile;

  if (full) {
    *reinterpret_cast<uint4*>(&out[first]) =
        make_uint4(value[0] + offset, value[1] + offset, value[2] + offset, value[3] + offset);
  } else {
    for (int k = 0; k < each; ++k)
      if (first + k < n) out[first + k] = value[k] + offset;
  }
}

}  // namespace

void scan(const unsigned* in, unsigned* out, unsigned* work, int n) {
  if (n == 0) return;
  const int tiles = (n + tile_size - 1) / tile_size;
  unsigned* const counter = work;
  unsigned* const states = work + 1;
  unsigned* const sums = states + tiles;
  unsigned* const totals = sums + tiles;
  cudaMemsetAsync(work, 0, 1 + tiles);
  scan_kernel<<<tiles, block>>>(in, out, counter, states, sums, totals, n);
}
