// CAUSE: cudaMemsetAsync counts bytes, but gets the number of words: only a quarter of the states (and counter) is set to 0, and the others keep whatever `work` held before.
// LINES: 90
// REPAIR: line 90: `cudaMemsetAsync(work, 0, 1 + tiles);` -> `cudaMemsetAsync(work, 0, (1 + tiles) * sizeof(unsigned));`
// SYMPTOM: An uninitialized read of the counter or a state; blocks get wild tile numbers and write to wild addresses, or take leftover states for real ones, so sums are wrong (or blocks wait forever).

#include "scan.h"

namespace {

constexpr int kBlock = 256;
constexpr int kPer = 16;               // elements per thread
constexpr int kTile = kBlock * kPer;
constexpr unsigned kNothing = 0, kSum = 1, kTotal = 2;

// work: [0] counter, then state of each tile, then sum of each, then total of each
__global__ void scanTiles(const unsigned* in, unsigned* out, unsigned* work, int n, int tiles) {
  __shared__ unsigned number;
  __shared__ unsigned offset;
  __shared__ unsigned warpTotal[kBlock / 32];

  volatile unsigned* state = work + 1;
  unsigned* sums = work + 1 + tiles;
  unsigned* totals = sums + tiles;

  if (threadIdx.x == 0) number = atomicAdd(work, 1u);
  __syncthreads();
  const int tile = number;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;

  // A warp has 32 * kPer elements, in kPer rows of 32.
  const int base = tile * kTile + warp * 32 * kPer + lane;
  unsigned v[kPer];
  unsigned carry = 0;
  for (int r = 0; r < kPer; ++r) {
    const int i = base + 32 * r;
    unsigned x = i < n ? in[i] : 0;
    for (int d = 1; d < 32; d *= 2) {
      const unsigned y = __shfl_up_sync(~0u, x, d);
      if (lane >= d) x += y;
    }
    v[r] = x + carry;
    carry = __shfl_sync(~0u, v[r], 31);
  }
  if (lane == 0) warpTotal[warp] = carry;
  __syncthreads();

  unsigned before = 0, own = 0;
  for (int w = 0; w < kBlock / 32; ++w) {
    if (w < warp) before += warpTotal[w];
    own += warpTotal[w];
  }

  if (threadIdx.x == 0) {
    unsigned left = 0;
    if (tile > 0) {
      sums[tile] = own;
      __threadfence();
      state[tile] = kSum;
      for (int t = tile - 1;; --t) {
        unsigned s;
        while ((s = state[t]) == kNothing) {
        }
        __threadfence();
        if (s == kTotal) {
          left += totals[t];
          break;
        }
        left += sums[t];
      }
    }
    totals[tile] = left + own;
    __threadfence();
    state[tile] = kTotal;
    offset = left;
  }
  __syncthreads();

  before += offset;
  for (int r = 0; r < kPer; ++r) {
    const int i = base + 32 * r;
    if (i < n) out[i] = v[r] + before;
  }
}

}  // namespace

void scan(const unsigned* in, unsigned* out, unsigned* work, int n) {
  if (n == 0) return;
  const int tiles = (n - 1) / kTile + 1;
  cudaMemsetAsync(work, 0, 1 + tiles);
  scanTiles<<<tiles, kBlock>>>(in, out, work, n, tiles);
}
