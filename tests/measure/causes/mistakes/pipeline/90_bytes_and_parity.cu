// CAUSE: The number of elements is given to memcpy_async as if it were bytes, so only a quarter of each tile is copied. And the next slot is chosen by the parity of the tile's number instead of taking turns, so it is not the slot that the next tile was fetched into.
// LINES: 21 37
// REPAIR: line 21: `amount)` -> `amount * sizeof(float))`; line 37: `= start / kPerTile & 1;` -> `^= 1;`
// SYMPTOM: Most of each tile is read without having been filled, and blocks use the wrong slot from their second tile on.

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#include "pipeline.h"

namespace cg = cooperative_groups;

constexpr int kPerTile = 1024;
constexpr int kInputs = kPerTile + taps - 1;

static __device__ void prefetch(const cg::thread_block& group, float* buffer, const float* signal,
                                int start, int n) {
  if (start >= n) return;
  const int rest = n + (taps - 1) - start;
  const int amount = rest < kInputs ? rest : kInputs;
  cg::memcpy_async(group, buffer, signal + start, amount);
}

static __global__ void convolve(const float* signal, float* result, Weights w, int n) {
  alignas(16) __shared__ float ring[2][kInputs];
  const cg::thread_block group = cg::this_thread_block();
  const int stride = gridDim.x * kPerTile;
  int turn = 0;

  prefetch(group, ring[turn], signal, blockIdx.x * kPerTile, n);
  for (int start = blockIdx.x * kPerTile; start < n; start += stride) {
    cg::wait(group);
    prefetch(group, ring[turn ^ 1], signal, start + stride, n);
    const int results = n - start < kPerTile ? n - start : kPerTile;
    weigh(ring[turn], result + start, results, w);
    group.sync();
    turn = start / kPerTile & 1;
  }
}

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  if (n > 0) convolve<<<blocks, 256>>>(in, out, weights, n);
}
