// CAUSE: The halo slot in front of the tile is filled with the first element of the block's own part, in[start], instead of the element before it, in[start - 1].
// LINES: 20
// REPAIR: line 20: `tile[0] = start == 0 ? 0 : in[start];` -> `tile[0] = start == 0 ? 0 : in[start - 1];`
// SYMPTOM: The first result of each block but block 0 is 0: out[128], out[256] and so on.

#include "diff.h"

// The tile has a slot more than the block has threads: tile[0] is the left neighbor of the block's
// first element, and element start + t is in tile[t + 1].

template <int Threads>
__global__ void adjacent_difference(const int* in, int* out, int n) {
  __shared__ int tile[Threads + 1];
  const int t = threadIdx.x;
  const int start = blockIdx.x * Threads;
  const bool alive = start + t < n;

  if (alive) tile[t + 1] = in[start + t];
  if (t == 0) {
    tile[0] = start == 0 ? 0 : in[start];
  }
  __syncthreads();

  if (alive) out[start + t] = tile[t + 1] - tile[t];
}

void diff(const int* in, int* out, int n) {
  constexpr int threads = 128;
  if (n == 0) return;
  const dim3 grid((n + threads - 1) / threads);
  adjacent_difference<threads><<<grid, threads>>>(in, out, n);
}
