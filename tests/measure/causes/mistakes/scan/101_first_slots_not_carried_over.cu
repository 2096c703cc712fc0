// CAUSE: A thread whose partner would lie left of the tile has to copy its slot to the other buffer. It stores nothing.
// LINES: 22
// REPAIR: after line 22: insert `else to[t] = from[t];`
// SYMPTOM: Stale or uninitialized slots from the first round on.

#include "scan.h"

namespace {

constexpr int block = 256;

__global__ void scan_tiles(const unsigned* in, unsigned* out, unsigned* sums, int n) {
  __shared__ unsigned first[block], second[block];
  const int t = threadIdx.x;
  const int i = blockIdx.x * block + t;
  unsigned* from = first;
  unsigned* to = second;
  from[t] = i < n ? in[i] : 0;
  __syncthreads();

  for (int distance = 1; distance < block; distance *= 2) {
    if (t >= distance) to[t] = from[t] + from[t - distance];
    __syncthreads();
    unsigned* const other = from;
    from = to;
    to = other;
  }

  if (i < n) out[i] = from[t];
  if (t == block - 1) sums[blockIdx.x] = from[t];
}

__global__ void add_before(unsigned* out, const unsigned* totals, int n) {
  const int i = blockIdx.x * block + threadIdx.x;
  if (blockIdx.x == 0 || i >= n) return;
  out[i] += totals[blockIdx.x - 1];
}

}  // namespace

void scan(const unsigned* in, unsigned* out, unsigned* work, int n) {
  if (n == 0) return;
  const int tiles = (n + block - 1) / block;
  unsigned* const sums = work;
  unsigned* const totals = sums + tiles;
  scan_tiles<<<tiles, block>>>(in, out, sums, n);
  if (tiles > 1) {
    scan(sums, totals, totals + tiles, tiles);
    add_before<<<tiles, block>>>(out, totals, n);
  }
}
