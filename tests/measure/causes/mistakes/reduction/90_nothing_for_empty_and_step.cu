// CAUSE: With n = 0 the function returns at once, but out has to become 0. And the loop over groups of four goes on by the threads of the block instead of the grid, so all blocks but the last add the same numbers again.
// LINES: 27 40
// REPAIR: line 27: `kThreads)` -> `stride)`; delete line 40: `if (n == 0) return;`
// SYMPTOM: out is not written for n = 0, and sums of long rows are too large.

#include <cooperative_groups.h>

#include "reduction.h"

namespace cg = cooperative_groups;

static constexpr unsigned kThreads = 128;
static constexpr unsigned kShare = 4096;
static constexpr unsigned kLimit = 512;

static __device__ float gather(float4 v) { return (v.x + v.y) + (v.z + v.w); }

static __global__ void accumulate(const float* __restrict__ numbers, float* result,
                                  unsigned length) {
  __shared__ float cache[kThreads];
  cg::thread_block team = cg::this_thread_block();
  const unsigned rank = team.thread_rank(), id = blockIdx.x * kThreads + rank;
  const unsigned stride = gridDim.x * kThreads, quads = length / 4;
  const float4* quad = reinterpret_cast<const float4*>(numbers);

  float total = 0;
  for (unsigned q = id; q < quads; q += kThreads) total += gather(quad[q]);
  if (id < length % 4) total += numbers[4 * quads + id];
  cache[rank] = total;
  team.sync();

  for (unsigned half = kThreads >> 1; half >= 1; half >>= 1) {
    if (rank < half) cache[rank] += cache[rank + half];
    team.sync();
  }
  if (rank == 0) result[blockIdx.x] = cache[0];
}

void sum(const float* in, float* out, float* work, int n) {
  if (n == 0) return;
  unsigned groups = n / kShare;
  if (groups > kLimit) groups = kLimit;
  if (groups < 2) {
    accumulate<<<1, kThreads>>>(in, out, n);
    return;
  }
  accumulate<<<groups, kThreads>>>(in, work, n);
  accumulate<<<1, kThreads>>>(work, out, groups);
}
