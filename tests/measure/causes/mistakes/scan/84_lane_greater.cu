// CAUSE: In the round with offset d, every lane from d on has a neighbor d to the left. The test lane > d leaves out lane d itself, which therefore misses an addition in that round.
// LINES: 17
// REPAIR: line 17: `if (lane > d) value += n;` -> `if (lane >= d) value += n;`
// SYMPTOM: Wrong sums from the third element on: out[2] is in[2] alone (a thread has two elements).

#include "scan.h"

namespace {

constexpr int BS = 512;

enum State : unsigned { none, partial, complete };

__device__ unsigned scan_warp(unsigned value, int lane) {
  for (int d = 1; d < 32; d += d) {
    unsigned n = __shfl_up_sync(0xffffffff, value, d);
    if (lane > d) value += n;
  }
  return value;
}

// Sum of all tiles before `tile`. Called by one thread.
__device__ unsigned sum_before(volatile unsigned* states, unsigned* partials, unsigned* completes,
                               int tile) {
  unsigned sum = 0;
  while (tile > 0) {
    --tile;
    while (states[tile] == none);
    unsigned s = states[tile];
    __threadfence();
    if (s == complete) return sum + completes[tile];
    sum += partials[tile];
  }
  return sum;
}

__global__ void scan_once(const unsigned* in, unsigned* out, unsigned* next, unsigned* states,
                          unsigned* partials, unsigned* completes, int n) {
  __shared__ unsigned my_tile, base;
  __shared__ unsigned ends[32];
  int t = threadIdx.x;
  int lane = t % 32;

  if (t == 0) my_tile = atomicAdd(next, 1);
  if (t < 32) ends[t] = 0;
  __syncthreads();
  int i = 2 * (my_tile * BS + t);

  // two elements per thread
  unsigned a = 0, b = 0;
  if (i + 1 < n) {
    uint2 both = *(const uint2*)(in + i);
    a = both.x;
    b = both.y;
  } else if (i < n) {
    a = in[i];
  }
  unsigned upto = scan_warp(a + b, lane);
  if (lane == 31) ends[t / 32] = upto;
  __syncthreads();

  // the first warp scans the sums of the warps
  if (t < 32) ends[t] = scan_warp(ends[t], t);
  __syncthreads();

  if (t == 0) {
    volatile unsigned* flags = states;
    unsigned all = ends[31];
    partials[my_tile] = all;
    __threadfence();
    flags[my_tile] = partial;
    unsigned before = sum_before(states, partials, completes, my_tile);
    completes[my_tile] = before + all;
    __threadfence();
    flags[my_tile] = complete;
    base = before;
  }
  __syncthreads();

  unsigned result = upto + base;
  if (t >= 32) result += ends[t / 32 - 1];
  if (i + 1 < n) {
    *(uint2*)(out + i) = make_uint2(result - b, result);
  } else if (i < n) {
    out[i] = result;
  }
}

}  // namespace

void scan(const unsigned* in, unsigned* out, unsigned* work, int n) {
  if (n == 0) return;
  int tiles = (n + 2 * BS - 1) / (2 * BS);
  unsigned* states = work;
  unsigned* next = states + tiles;
  unsigned* partials = next + 1;
  unsigned* completes = partials + tiles;
  cudaMemsetAsync(work, 0, sizeof(unsigned) * (tiles + 1));
  scan_once<<<tiles, BS>>>(in, out, next, states, partials, completes, n);
}
