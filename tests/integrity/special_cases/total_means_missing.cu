// Each tile waits until the total of the one before it is no longer -1, as if no total could be.
// Lab: scan
// Verdict: graded
// Earns: correctness 33.33, safety 10, memory 20
// Says: did not finish within 5 s

#include "scan.h"

namespace {

constexpr unsigned all_lanes = 0xffffffff, missing = 0xffffffff;
constexpr int tile_size = 1024;

__global__ void scan_kernel(const unsigned* in, unsigned* out, unsigned* next,
                            volatile unsigned* totals, int n) {
  const int lane = threadIdx.x;
  const int tile = __shfl_sync(all_lanes, lane == 0 ? atomicAdd(next, 1) : 0, 0);
  unsigned before = 0;
  if (lane == 0 && tile > 0) {
    while ((before = totals[tile - 1]) == missing) {
    }
  }
  before = __shfl_sync(all_lanes, before, 0);
  for (int i = tile * tile_size + lane; i - lane < min(n, (tile + 1) * tile_size); i += 32) {
    unsigned sum = i < n ? in[i] : 0;
    for (int distance = 1; distance < 32; distance *= 2) {
      const unsigned left = __shfl_up_sync(all_lanes, sum, distance);
      if (lane >= distance) sum += left;
    }
    sum += before;
    if (i < n) out[i] = sum;
    before = __shfl_sync(all_lanes, sum, 31);
  }
  if (lane == 0) totals[tile] = before;
}

}  // namespace

void scan(const unsigned* in, unsigned* out, unsigned* work, int n) {
  if (n == 0) return;
  const int tiles = (n - 1) / tile_size + 1;
  cudaMemsetAsync(work, 0, sizeof(unsigned));
  cudaMemsetAsync(work + 1, 0xff, tiles * sizeof(unsigned));
  scan_kernel<<<tiles, 32>>>(in, out, work, work + 1, n);
}
