// CAUSE: the passes after the first still read the input: source is never set to the sums of the pass before
// LINES: 37
// REPAIR: source = target; before target moves on
// GOOD HINT: What should the second pass add up? What does its first argument point to?
// SYMPTOM: right up to one tile; beyond that out is the sum of the first few elements only

#include "reduction.h"

namespace {

const int tile = 512;

__global__ void add_up(const float* source, float* target, int n) {
  __shared__ float slot[tile];
  const int me = threadIdx.x;
  const int where = me + tile * blockIdx.x;
  if (where < n)
    slot[me] = source[where];
  else
    slot[me] = 0;
  for (int distance = tile / 2; distance > 0; distance /= 2) {
    __syncthreads();
    if (me < distance) slot[me] += slot[me + distance];
  }
  if (me == 0) target[blockIdx.x] = slot[0];
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  const float* source = in;
  float* target = work;
  int left = n;
  while (left > tile) {
    const int blocks = (left + tile - 1) / tile;
    add_up<<<blocks, tile>>>(source, target, left);
    target += blocks;
    left = blocks;
  }
  add_up<<<1, tile>>>(source, out, left);
}
