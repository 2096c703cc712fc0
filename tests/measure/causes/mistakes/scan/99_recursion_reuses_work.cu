// CAUSE: The sums of the tiles are scanned in place, which is fine, but the recursive call gets the beginning of work once more as its scratch, so its own tile sums overwrite the sums that it scans.
// LINES: 49
// REPAIR: line 49: `scan(sums, sums, work, tiles);` -> `scan(sums, sums, work + tiles, tiles);`
// SYMPTOM: For n > 1024, work[0], the sum of tile 0, is replaced by the sum of all tiles (or is in a race with it): the second tile and perhaps more are wrong.

#include "scan.h"

namespace {

constexpr int block = 1024;

// Scans a tile per block in rounds; one thread at a time would be slow, so all of them add.
__global__ void scan_tiles(const unsigned* in, unsigned* out, unsigned* sums, int n) {
  __shared__ unsigned first_buffer[block], second_buffer[block];
  unsigned *source = first_buffer, *target = second_buffer;
  const int t = threadIdx.x;
  const int i = blockIdx.x * block + t;

  source[t] = 0;
  if (i < n) source[t] = in[i];
  __syncthreads();

  for (int reach = 1; reach < block; reach += reach) {
    target[t] = t < reach ? source[t] : source[t] + source[t - reach];
    __syncthreads();
    unsigned* swap = source;
    source = target;
    target = swap;
  }

  if (i < n) out[i] = source[t];
  if (t == 0) sums[blockIdx.x] = source[block - 1];
}

__global__ void add_totals(unsigned* out, const unsigned* totals, int n) {
  const int tile = blockIdx.x;
  const int i = tile * block + threadIdx.x;
  if (tile > 0 && i < n) out[i] += totals[tile - 1];
}

}  // namespace

void scan(const unsigned* in, unsigned* out, unsigned* work, int n) {
  if (n <= 0) return;
  const int tiles = 1 + (n - 1) / block;
  unsigned* sums = work;
  scan_tiles<<<tiles, block>>>(in, out, sums, n);
  if (tiles == 1) return;
  scan(sums, sums, work, tiles);
  add_totals<<<tiles, block>>>(out, sums, n);
}
