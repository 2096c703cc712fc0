// CAUSE: What a tile publishes as its total has to include its own sum. The code publishes only what comes before the tile, so every block that stops at this total misses the tile's own elements.
// LINES: 69
// REPAIR: line 69: `post(words, tile, is_total, before);` -> `post(words, tile, is_total, before + mine);`
// SYMPTOM: The first tile is right, and later ones are too small, by an amount that depends on how far the other blocks were.

#include "scan.h"

namespace {

constexpr int threads = 256;
constexpr int rounds = 8;  // elements per thread
constexpr int share = threads * rounds;

// A tile's word: the number in the low 32 bits, its kind in the high ones. One 64-bit access moves
// both, so that no fence is necessary.
using Word = unsigned long long;
constexpr Word is_sum = 1ull << 32, is_total = 2ull << 32;

__device__ Word peek(Word* words, int t) { return atomicAdd(&words[t], 0ull); }
__device__ void post(Word* words, int t, Word kind, unsigned number) {
  atomicExch(&words[t], kind | number);
}

__global__ void scan_kernel(const unsigned* in, unsigned* out, Word* words, unsigned* ticket,
                            int n) {
  __shared__ unsigned s_warp[threads / 32];
  __shared__ unsigned s_before;
  __shared__ int s_tile;
  const int t = threadIdx.x;
  if (t == 0) s_tile = atomicAdd(ticket, 1u);
  __syncthreads();
  const int tile = s_tile;
  const int lane = t & 31, warp = t >> 5;
  const int start = tile * share + warp * (32 * rounds) + lane;

  unsigned kept[rounds], running = 0;
#pragma unroll
  for (int k = 0; k < rounds; ++k) {
    unsigned value = start + 32 * k < n ? in[start + 32 * k] : 0u;
    for (int d = 1; d < 32; d <<= 1) {
      const unsigned from = __shfl_up_sync(0xffffffff, value, d);
      if (lane >= d) value += from;
    }
    kept[k] = running + value;
    running = __shfl_sync(0xffffffff, kept[k], 31);
  }
  if (lane == 31) s_warp[warp] = running;
  __syncthreads();

  if (t == 0) {
    unsigned mine = 0;
    for (int w = 0; w < threads / 32; ++w) {
      const unsigned x = s_warp[w];
      s_warp[w] = mine;  // from now on: what comes before this warp
      mine += x;
    }
    unsigned before = 0;
    if (tile > 0) {
      post(words, tile, is_sum, mine);
      int look = tile - 1;
      for (;;) {
        const Word w = peek(words, look);
        if (w == 0) continue;
        before += static_cast<unsigned>(w);
        if (w >= is_total) break;
        --look;
      }
    }
    post(words, tile, is_total, before);
    s_before = before;
  }
  __syncthreads();

  const unsigned add = s_before + s_warp[warp];
#pragma unroll
  for (int k = 0; k < rounds; ++k) {
    if (start + 32 * k < n) out[start + 32 * k] = kept[k] + add;
  }
}

}  // namespace

void scan(const unsigned* in, unsigned* out, unsigned* work, int n) {
  if (n == 0) return;
  const int tiles = (n + share - 1) / share;
  Word* words = reinterpret_cast<Word*>(work);
  unsigned* ticket = work + 2 * tiles;
  cudaMemsetAsync(work, 0, (2 * tiles + 1) * sizeof(unsigned));
  scan_kernel<<<tiles, threads>>>(in, out, words, ticket, n);
}
