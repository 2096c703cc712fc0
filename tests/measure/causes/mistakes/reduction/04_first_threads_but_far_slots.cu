// CAUSE: The first threads add, but they still add neighbors, so in each round their slots are 2, 4, 8, ... words apart and several lanes share a bank.
// LINES: 21, 22, 23
// REPAIR: line 21: `int distance = 1; distance < block; distance *= 2` -> `int distance = block / 2; distance > 0; distance /= 2`; delete line 22, `const int slot = 2 * distance * t;`; line 23: `if (slot < block) tile[slot] += tile[slot + distance];` -> `if (t < distance) tile[t] += tile[t + distance];`
// GOOD HINT: Your sum is right, and the warps are done early. Now write down the slots that the threads 0 to 31 read in the round with distance 8, and the banks that they are in.
// SYMPTOM: Right results. Bank conflicts: more wavefronts than requests in the tile.

#include "reduction.h"

namespace {

constexpr int block = 256;  // threads of a block, and elements of its tile

__global__ void sum_kernel(const float* in, float* out, int n) {
  __shared__ float tile[block];
  const int t = threadIdx.x;
  const int i = blockIdx.x * block + t;
  tile[t] = i < n ? in[i] : 0;
  __syncthreads();

  // the first threads add, so that whole warps are done early
  for (int distance = 1; distance < block; distance *= 2) {
    const int slot = 2 * distance * t;
    if (slot < block) tile[slot] += tile[slot + distance];
    __syncthreads();
  }

  if (t == 0) out[blockIdx.x] = tile[0];
}

int blocks_for(int n) { return (n + block - 1) / block; }

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  while (n > block) {
    const int blocks = blocks_for(n);
    sum_kernel<<<blocks, block>>>(in, work, n);
    in = work;
    work += blocks;
    n = blocks;
  }
  sum_kernel<<<1, block>>>(in, out, n);
}
