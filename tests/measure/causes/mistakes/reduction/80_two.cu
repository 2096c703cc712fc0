// CAUSE: (1) The step of the loop is the size of a block, not that of the whole grid, so blocks add elements of other blocks, too. (2) For n = 0 the function returns without storing the sum, which is 0.
// LINES: 15 39
// REPAIR: (1) unsigned step = gridDim.x * THREADS; (2) delete the line: the launch with one block stores the 0
// SYMPTOM: (1) With several blocks elements are added more than once. (2) out[0] keeps its old value for n = 0.

// Two passes: every thread first adds up many elements in a register.
#include "reduction.h"

#define THREADS 512
#define MAX_BLOCKS 512

static __global__ void add_up(const float* numbers, float* result, int count) {
  __shared__ float partial[THREADS];
  int me = threadIdx.x;
  unsigned step = THREADS;

  float mine = 0;
  for (unsigned pos = blockIdx.x * THREADS + me; pos < (unsigned)count; pos += step) {
    mine += numbers[pos];
  }
  partial[me] = mine;
  __syncthreads();

  int active = THREADS;
  while (active > 1) {
    active >>= 1;
    if (me < active) {
      partial[me] = partial[me] + partial[me + active];
    }
    __syncthreads();
  }

  if (me == 0) {
    result[blockIdx.x] = partial[0];
  }
}

void sum(const float* in, float* out, float* work, int n) {
  if (n == 0) return;
  int grid = (n + THREADS - 1) / THREADS;
  if (grid > MAX_BLOCKS) grid = MAX_BLOCKS;

  if (grid <= 1) {
    add_up<<<1, THREADS>>>(in, out, n);
  } else {
    add_up<<<grid, THREADS>>>(in, work, n);
    add_up<<<1, THREADS>>>(work, out, grid);
  }
}
