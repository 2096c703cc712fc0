// CAUSE: The number of the tile comes from the counter, but the elements are still chosen by blockIdx.x, which may be another number.
// LINES: 26
// REPAIR: const int i = tile * block + t;
// SYMPTOM: If blocks do not start in order, tiles get the sums of other tiles.

#include "scan.h"

namespace {

constexpr int block = 256;
constexpr int warp = 32;
constexpr unsigned has_sum = 1, has_total = 2;

// work: the counter of tiles, a state per tile, a sum per tile, a total per tile
__global__ void scan_kernel(const unsigned* in, unsigned* out, unsigned* counter,
                            volatile unsigned* state, volatile unsigned* sums,
                            volatile unsigned* totals, int n) {
  __shared__ unsigned number, before;
  __shared__ unsigned warp_sums[block / warp];
  const int t = threadIdx.x;
  const int lane = t % warp;

  if (t == 0) number = atomicAdd(counter, 1u);
  __syncthreads();
  const int tile = number;
  const int i = blockIdx.x * block + t;

  unsigned value = i < n ? in[i] : 0;
  for (int d = 1; d < warp; d *= 2) {
    const unsigned left = __shfl_up_sync(0xffffffff, value, d);
    if (lane >= d) value += left;
  }
  if (lane == warp - 1) warp_sums[t / warp] = value;
  __syncthreads();

  if (t == 0) {
    unsigned sum = 0;
    for (int w = 0; w < block / warp; ++w) {
      const unsigned own = warp_sums[w];
      warp_sums[w] = sum;
      sum += own;
    }
    sums[tile] = sum;
    __threadfence();
    state[tile] = has_sum;

    unsigned left = 0;
    for (int look = tile - 1; look >= 0; --look) {
      unsigned s = state[look];
      while (s == 0) s = state[look];
      __threadfence();
      if (s == has_total) {
        left += totals[look];
        break;
      }
      left += sums[look];
    }

    totals[tile] = left + sum;
    __threadfence();
    state[tile] = has_total;
    before = left;
  }
  __syncthreads();

  if (i < n) out[i] = before + warp_sums[t / warp] + value;
}

}  // namespace

void scan(const unsigned* in, unsigned* out, unsigned* work, int n) {
  if (n == 0) return;
  const int tiles = (n + block - 1) / block;
  unsigned* const state = work + 1;
  unsigned* const sums = state + tiles;
  unsigned* const totals = sums + tiles;
  cudaMemsetAsync(work, 0, (tiles + 1) * sizeof(unsigned));
  scan_kernel<<<tiles, block>>>(in, out, work, state, sums, totals, n);
}
