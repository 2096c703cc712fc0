// CAUSE: The barrier of each round is inside `if (t < distance)`, so only the threads that add reach it.
// LINES: 26, after 27
// REPAIR: delete line 26, `__syncthreads();`; insert `    __syncthreads();` after line 27
// GOOD HINT: In the round with distance 64, which threads come to your barrier? For which threads does it wait?
// SYMPTOM: Divergent barrier in every block: undefined, a hang or a report of the checked build; may give right or wrong sums on a GPU.

// Lab `reduction`: the sum of n numbers.

#include "reduction.h"

namespace {

constexpr int block = 256;  // threads of a block, and elements of its tile

// Adds up a tile of `in` per block. out[b] becomes the sum of block b.
__global__ void sum_kernel(const float* in, float* out, int n) {
  __shared__ float tile[block];
  const int t = threadIdx.x;
  const int i = blockIdx.x * block + t;
  tile[t] = i < n ? in[i] : 0;
  __syncthreads();

  for (int distance = block / 2; distance > 0; distance /= 2) {
    if (t < distance) {
      tile[t] += tile[t + distance];
      __syncthreads();
    }
  }

  if (t == 0) out[blockIdx.x] = tile[0];
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  while (n > block) {
    const int blocks = (n + block - 1) / block;
    sum_kernel<<<blocks, block>>>(in, work, n);
    in = work;
    work += blocks;
    n = blocks;
  }
  sum_kernel<<<1, block>>>(in, out, n);
}
