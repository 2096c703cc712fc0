// CAUSE: A number has to be visible before the state that announces it. publish() is right for the sum, but when the tile's total is stored, there is no __threadfence() between the total and its state: another block may see the state TOTAL and still load an old number.
// LINES: 84
// REPAIR: before line 84: add `__threadfence();`
// SYMPTOM: A data race between blocks on the totals of the tiles; with only one tile nothing is reported.

#include "scan.h"

namespace {

struct Board {
  unsigned* counter;
  volatile unsigned* flag;
  unsigned* aggregate;
  unsigned* inclusive;
};

enum { EMPTY = 0, AGGREGATE = 1, INCLUSIVE = 2 };

constexpr int T = 128;
constexpr int ITEMS = 4 * T;  // a uint4 per thread

__device__ unsigned lookBack(const Board& b, int tile) {
  unsigned exclusive = 0;
  int t = tile - 1;
  while (true) {
    unsigned f = b.flag[t];
    if (f == EMPTY) continue;
    __threadfence();
    if (f == INCLUSIVE) return exclusive + b.inclusive[t];
    exclusive += b.aggregate[t];
    t -= 1;
  }
}

__device__ unsigned inclusiveWarpScan(unsigned x) {
  const unsigned lane = threadIdx.x & 31u;
#pragma unroll
  for (unsigned d = 1; d <= 16; d <<= 1) {
    unsigned other = __shfl_up_sync(0xffffffffu, x, d);
    x += lane >= d ? other : 0u;
  }
  return x;
}

__global__ void onePass(const unsigned* in, unsigned* out, Board b, int n) {
  __shared__ unsigned perWarp[T / 32];
  __shared__ unsigned shared_tile, shared_left;
  if (threadIdx.x == 0) shared_tile = atomicAdd(b.counter, 1u);
  __syncthreads();
  const int tile = shared_tile;
  const int i = tile * ITEMS + 4 * threadIdx.x;

  uint4 q = make_uint4(0, 0, 0, 0);
  if (i + 3 < n) {
    q = *reinterpret_cast<const uint4*>(in + i);
  } else {
    if (i < n) q.x = in[i];
    if (i + 1 < n) q.y = in[i + 1];
    if (i + 2 < n) q.z = in[i + 2];
  }
  q.y += q.x;
  q.z += q.y;
  q.w += q.z;

  const unsigned upTo = inclusiveWarpScan(q.w);
  if (threadIdx.x % 32 == 31) perWarp[threadIdx.x / 32] = upTo;
  __syncthreads();
  unsigned left = upTo - q.w;
  unsigned whole = 0;
  for (int w = 0; w < T / 32; ++w) {
    if (w < threadIdx.x / 32) left += perWarp[w];
    whole += perWarp[w];
  }

  if (threadIdx.x == 0) {
    unsigned earlier = 0;
    if (tile != 0) {
      b.aggregate[tile] = whole;
      __threadfence();
      b.flag[tile] = AGGREGATE;
      earlier = lookBack(b, tile);
    }
    b.inclusive[tile] = earlier + whole;
    b.flag[tile] = INCLUSIVE;
    shared_left = earlier;
  }
  __syncthreads();
  left += shared_left;

  q.x += left, q.y += left, q.z += left, q.w += left;
  if (i + 3 < n) {
    *reinterpret_cast<uint4*>(out + i) = q;
  } else {
    if (i < n) out[i] = q.x;
    if (i + 1 < n) out[i + 1] = q.y;
    if (i + 2 < n) out[i + 2] = q.z;
  }
}

}  // namespace

void scan(const unsigned* in, unsigned* out, unsigned* work, int n) {
  if (n <= 0) return;
  const int tiles = (n + ITEMS - 1) / ITEMS;
  Board b = {work, work + 1, work + 1 + tiles, work + 1 + 2 * tiles};
  cudaMemsetAsync(work, 0, (1 + tiles) * sizeof(unsigned));
  onePass<<<tiles, T>>>(in, out, b, n);
}
