// CAUSE: The left neighbor of the tile is loaded by the last thread of the block, but in the last, partial block that thread has no element and skips the load.
// LINES: 21
// REPAIR: if (t == 0 && start > 0) s[0] = in[start - 1];
// SYMPTOM: If n is not a multiple of 256 (and more than 256), slot 0 of the last tile is read without having been written, and the first difference of the last block is wrong.

#include "diff.h"

namespace {

constexpr int TILE = 256;

__global__ void diff_kernel(const int* in, int* out, int n) {
  // s[0] is the element before the tile, s[1] is the first of the tile
  __shared__ int s[TILE + 1];
  const int t = threadIdx.x;
  const int start = blockIdx.x * TILE;
  const int i = start + t;

  if (i < n) {
    s[t + 1] = in[i];
    if (t == TILE - 1 && start > 0) s[0] = in[start - 1];
  }
  __syncthreads();

  if (i >= n) return;
  out[i] = i == 0 ? s[1] : s[t + 1] - s[t];
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n == 0) return;
  diff_kernel<<<(n + TILE - 1) / TILE, TILE>>>(in, out, n);
}
