// One line of this file is at fault: `./tilelab detective scan whispered`.

#include "scan.h"

namespace {

constexpr int block = 256;

__device__ void publish(unsigned* numbers, unsigned number, volatile unsigned* states, int tile,
                        unsigned state) {
  numbers[tile] = number;
  __threadfence_block();
  states[tile] = state;
}

__device__ unsigned look_back(const unsigned* sums, const unsigned* totals,
                              const volatile unsigned* states, int tile) {
  unsigned before = 0;
  for (int other = tile - 1; other >= 0; --other) {
    unsigned state = 0;
    while (state == 0) state = states[other];
    __threadfence();
    if (state == 2) return before + totals[other];
    before += sums[other];
  }
  return before;
}

__global__ void scan_kernel(const unsigned* in, unsigned* out, unsigned* next_tile,
                            volatile unsigned* states, unsigned* sums, unsigned* totals, int n) {
  __shared__ int number;
  __shared__ unsigned before, tile[2][block];
  const int t = threadIdx.x;
  if (t == 0) number = atomicAdd(next_tile, 1);
  __syncthreads();
  const int i = number * block + t;
  int from = 0;
  tile[from][t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int distance = 1; distance < block; distance *= 2) {
    const unsigned left = t >= distance ? tile[from][t - distance] : 0;
    tile[1 - from][t] = tile[from][t] + left;
    from = 1 - from;
    __syncthreads();
  }
  const unsigned own = tile[from][t];
  if (t == block - 1) {
    publish(sums, own, states, number, 1);
    before = look_back(sums, totals, states, number);
    publish(totals, before + own, states, number, 2);
  }
  __syncthreads();
  if (i < n) out[i] = before + own;
}

}  // namespace

void scan(const unsigned* in, unsigned* out, unsigned* work, int n) {
  if (n == 0) return;
  const int tiles = (n - 1) / block + 1;
  unsigned* const states = work + 1;
  cudaMemsetAsync(work, 0, (1 + tiles) * sizeof(unsigned));
  scan_kernel<<<tiles, block>>>(in, out, work, states, states + tiles, states + 2 * tiles, n);
}
