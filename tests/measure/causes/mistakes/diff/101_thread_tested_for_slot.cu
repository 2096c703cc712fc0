// CAUSE: Only slot 0 of the tile has its left neighbor outside. `t > 0` is asked for, so thread 0 takes the element before the tile in each of its four rounds.
// LINES: 31
// REPAIR: line 31: `const int left = t > 0 ? tile[s - 1] : before;` -> `const int left = s > 0 ? tile[s - 1] : before;`
// SYMPTOM: out is wrong at three elements of each tile of 512.

#include "diff.h"

namespace {

constexpr int threads = 128;
constexpr int rounds = 4;
constexpr int tile_size = threads * rounds;

// Element i of a row, or 0 where the row has none.
__device__ int element(const int* row, int i, int n) { return i >= 0 && i < n ? row[i] : 0; }

__global__ void diff_kernel(const int* in, int* out, int n) {
  __shared__ int tile[tile_size];
  const int t = threadIdx.x;
  const int begin = blockIdx.x * tile_size;
  for (int s = t; s < tile_size; s += threads) {
    tile[s] = element(in, begin + s, n);
  }
  const int before = t == 0 ? element(in, begin - 1, n) : 0;
  __syncthreads();

  for (int k = 0; k < rounds; ++k) {
    const int s = k * threads + t;
    const int i = begin + s;
    if (i >= n) break;
    const int left = t > 0 ? tile[s - 1] : before;
    out[i] = tile[s] - left;
  }
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n <= 0) return;
  diff_kernel<<<(n + tile_size - 1) / tile_size, threads>>>(in, out, n);
}
