// CAUSE: A thread goes on by the threads of one block and not by those of the whole grid, so several blocks add the same elements.
// LINES: 20
// REPAIR: line 20: `i += block` -> `i += gridDim.x * block`
// GOOD HINT: Which elements does thread 0 of block 0 add, and which thread 0 of block 1? Which of them are in both lists?
// SYMPTOM: Right for n <= 256. Beyond that the sum is too large: an element in tile k is added k + 1 times (at most 512 times).

#include "reduction.h"

namespace {

constexpr int block = 256;
constexpr int most_blocks = 512;

// Each thread adds many elements in a register before the tile comes in.
__global__ void sum_kernel(const float* in, float* out, int n) {
  __shared__ float tile[block];
  const int t = threadIdx.x;

  float own = 0;
  for (int i = blockIdx.x * block + t; i < n; i += block) {
    own += in[i];
  }
  tile[t] = own;
  __syncthreads();

  for (int distance = block / 2; distance > 0; distance /= 2) {
    if (t < distance) tile[t] += tile[t + distance];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = tile[0];
}

}  // namespace

// Two passes: a sum per block, then the sum of these.
void sum(const float* in, float* out, float* work, int n) {
  int blocks = n / block + 1;
  if (blocks > most_blocks) blocks = most_blocks;
  sum_kernel<<<blocks, block>>>(in, work, n);
  sum_kernel<<<1, block>>>(work, out, blocks);
}
