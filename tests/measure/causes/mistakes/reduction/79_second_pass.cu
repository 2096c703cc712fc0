// CAUSE: The second pass adds up the first elements of the input again, not the sums of the blocks, which are in work.
// LINES: 46
// REPAIR: add_up<<<1, THREADS>>>(work, out, grid);
// SYMPTOM: For more than one block the result is the sum of the first few elements.

// Two passes: every thread first adds up many elements in a register.
#include "reduction.h"

#define THREADS 512
#define MAX_BLOCKS 512

static __global__ void add_up(const float* numbers, float* result, int count) {
  __shared__ float partial[THREADS];
  int me = threadIdx.x;
  unsigned step = gridDim.x * THREADS;

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
  int grid = (n + THREADS - 1) / THREADS;
  if (grid > MAX_BLOCKS) grid = MAX_BLOCKS;

  if (grid <= 1) {
    add_up<<<1, THREADS>>>(in, out, n);
  } else {
    add_up<<<grid, THREADS>>>(in, work, n);
    add_up<<<1, THREADS>>>(in, out, grid);
  }
}
