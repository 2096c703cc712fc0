// CAUSE: cudaMemsetAsync is told the number of words, not of bytes, so most of the states keep what work held before. And the thread that publishes the sum of its tile stores the state right after the number, without a fence in between.
// LINES: 40 68
// REPAIR: before line 40: add `__threadfence();`; line 68: `tiles + 1)` -> `(tiles + 1) * sizeof(unsigned))`
// SYMPTOM: Blocks take leftover states for sums that are there (or wait forever), and the numbers of tiles race with those who look back.

#include "scan.h"

#define THREADS 256
#define ITEMS 8
#define TILE (THREADS * ITEMS)

enum State : unsigned { nothing, has_sum, has_total };

__global__ void onePass(const unsigned* in, unsigned* out, unsigned* counter,
                        volatile unsigned* state, unsigned* sum, unsigned* total, int n) {
  __shared__ unsigned ticket, base, part[THREADS / 32];
  __shared__ unsigned values[TILE + TILE / 32];
  if (threadIdx.x == 0) ticket = atomicAdd(counter, 1u);
  __syncthreads();
  const unsigned mine = ticket;
  const int begin = mine * TILE;

#define AT(s) values[(s) + (s) / 32]
  for (int s = threadIdx.x; s < TILE; s += THREADS) AT(s) = begin + s < n ? in[begin + s] : 0;
  __syncthreads();

  unsigned item[ITEMS], own = 0;
  for (int k = 0; k < ITEMS; ++k) item[k] = own += AT(threadIdx.x * ITEMS + k);
  unsigned upTo = own;
  for (int d = 1; d < 32; d <<= 1) {
    const unsigned from = __shfl_up_sync(~0u, upTo, d);
    if ((threadIdx.x & 31) >= d) upTo += from;
  }
  if ((threadIdx.x & 31) == 31) part[threadIdx.x >> 5] = upTo;
  __syncthreads();
  for (unsigned w = 0; w < threadIdx.x >> 5; ++w) upTo += part[w];

  if (threadIdx.x == THREADS - 1) {
    sum[mine] = upTo;
    state[mine] = has_sum;
    unsigned before = 0;
    for (int t = int(mine) - 1; t >= 0; --t) {
      unsigned s;
      while ((s = state[t]) == nothing) {
      }
      __threadfence();
      before += s == has_total ? total[t] : sum[t];
      if (s == has_total) break;
    }
    total[mine] = before + upTo;
    __threadfence();
    state[mine] = has_total;
    base = before;
  }
  __syncthreads();

  const unsigned offset = base + upTo - own;
  for (int k = 0; k < ITEMS; ++k) AT(threadIdx.x * ITEMS + k) = offset + item[k];
  __syncthreads();
  for (int s = threadIdx.x; s < TILE && begin + s < n; s += THREADS) out[begin + s] = AT(s);
#undef AT
}

void scan(const unsigned* in, unsigned* out, unsigned* work, int n) {
  if (n == 0) return;
  const int tiles = (n + TILE - 1) / TILE;
  unsigned *counter = work, *state = counter + 1, *sum = state + tiles, *total = sum + tiles;
  cudaMemsetAsync(work, 0, tiles + 1);
  onePass<<<tiles, THREADS>>>(in, out, counter, state, sum, total, n);
}
