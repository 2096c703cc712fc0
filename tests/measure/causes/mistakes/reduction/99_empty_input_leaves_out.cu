// CAUSE: For n = 0 the function returns at once, but the sum of no numbers is 0 and has to be stored in out[0].
// LINES: 49
// REPAIR: line 49: `if (n <= 0) return;` -> `if (n <= 0) return void(cudaMemset(out, 0, sizeof(float)));`
// SYMPTOM: With n = 0, out[0] keeps whatever it held before.

#include "reduction.h"

namespace {

constexpr unsigned kBlock = 128;
constexpr unsigned kItems = 8;

// Adds the upper half of the tile to the lower half as long as two warps or more take part, and
// lets one warp finish with shuffles.
__device__ float reduce_tile(float* tile) {
  const unsigned t = threadIdx.x;
  __syncthreads();
#pragma unroll
  for (unsigned d = kBlock / 2; d >= 32; d /= 2) {
    if (t < d) tile[t] += tile[t + d];
    __syncthreads();
  }
  float value = 0;
  if (t < 32) {
    value = tile[t];
#pragma unroll
    for (unsigned d = 16; d > 0; d /= 2) value += __shfl_xor_sync(0xffffffffu, value, d);
  }
  return value;
}

__global__ void reduce(const float* __restrict__ in, float* __restrict__ sums, unsigned n) {
  __shared__ float tile[kBlock];
  const unsigned first = blockIdx.x * kBlock * kItems + threadIdx.x;
  float mine = 0;
#pragma unroll
  for (unsigned k = 0; k < kItems; ++k) {
    const unsigned i = first + k * kBlock;
    if (i < n) mine += in[i];
  }
  tile[threadIdx.x] = mine;
  const float total = reduce_tile(tile);
  if (threadIdx.x == 0) sums[blockIdx.x] = total;
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  if (n <= 0) return;
  unsigned count = n;
  for (;;) {
    const unsigned blocks = (count + kBlock * kItems - 1) / (kBlock * kItems);
    if (blocks == 1) break;
    reduce<<<blocks, kBlock>>>(in, work, count);
    in = work;
    work += blocks;
    count = blocks;
  }
  reduce<<<1, kBlock>>>(in, out, count);
}
