// CAUSE: The next level gets the memory after `sums` to work with, but there its results are stored: it begins after `scanned`, at work + 2 * tiles.
// LINES: 60
// REPAIR: line 60: `scan(sums, scanned, work + tiles, tiles);` -> `scan(sums, scanned, work + 2 * tiles, tiles);`
// SYMPTOM: Wrong sums once there are three levels.

#include "scan.h"

namespace {

constexpr int threads = 128;
constexpr int items = 4;
constexpr int tile = threads * items;

__global__ void scan_tile(const unsigned* in, unsigned* out, unsigned* sums, int n) {
  __shared__ unsigned buffer[2][threads];
  const int t = threadIdx.x;
  const int begin = blockIdx.x * tile + t * items;

  unsigned own[items];
  unsigned running = 0;
  for (int k = 0; k < items; ++k) {
    if (begin + k < n) running += in[begin + k];
    own[k] = running;
  }

  int now = 0;
  buffer[now][t] = running;
  __syncthreads();
  for (int d = 1; d < threads; d += d) {
    unsigned value = buffer[now][t];
    if (t >= d) value += buffer[now][t - d];
    now = 1 - now;
    buffer[now][t] = value;
    __syncthreads();
  }

  const unsigned before = t > 0 ? buffer[now][t - 1] : 0;
  for (int k = 0; k < items; ++k) {
    if (begin + k < n) out[begin + k] = before + own[k];
  }
  if (t == threads - 1) sums[blockIdx.x] = buffer[now][t];
}

__global__ void add_tiles(unsigned* out, const unsigned* scanned, int n) {
  if (blockIdx.x == 0) return;
  const unsigned before = scanned[blockIdx.x - 1];
  const int begin = blockIdx.x * tile;
  for (int i = begin + threadIdx.x; i < begin + tile && i < n; i += threads) out[i] += before;
}

}  // namespace

void scan(const unsigned* in, unsigned* out, unsigned* work, int n) {
  if (n < 1) return;
  const int tiles = (n + tile - 1) / tile;
  unsigned* sums = work;
  unsigned* scanned = work + tiles;
  scan_tile<<<tiles, threads>>>(in, out, sums, n);
  if (tiles > 1) {
    scan(sums, scanned, work + tiles, tiles);
    add_tiles<<<tiles, threads>>>(out, scanned, n);
  }
}
