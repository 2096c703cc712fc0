// CAUSE: A tile of 384 cannot be halved down to one: 192, 96, ..., 6, 3, 1. With three slots left, slot 1 is added to slot 0 and slot 2 is lost.
// LINES: 11
// REPAIR: line 11: `block = 384` -> `block = 256`
// GOOD HINT: Write down the distances of your rounds. How many slots are left before the last round, and which of them are added?
// SYMPTOM: The sum misses each element whose number in its tile is 2 more than a multiple of 3, about a third of all; right for n <= 2 only.

// Lab `reduction`

#include "reduction.h"

constexpr int block = 384;  // 12 warps

__global__ void sum_kernel(const float* in, float* out, int n) {
  __shared__ float tile[block];
  const int t = threadIdx.x;
  const int i = blockIdx.x * block + t;
  tile[t] = 0;
  if (i < n) tile[t] = in[i];
  __syncthreads();
  for (int d = block / 2; d > 0; d /= 2) {
    if (t < d) tile[t] = tile[t] + tile[t + d];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = tile[0];
}

void sum(const float* in, float* out, float* work, int n) {
  while (n > block) {
    const int blocks = (n - 1) / block + 1;
    sum_kernel<<<blocks, block>>>(in, work, n);
    in = work;
    work += blocks;
    n = blocks;
  }
  sum_kernel<<<1, block>>>(in, out, n);
}
