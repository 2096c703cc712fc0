// CAUSE: Two mistakes: where the input has no element, the slot of the tile is left as it is and not set to zero; and the loop ends before the round with distance 1, so slot 1 is never added to slot 0.
// LINES: 18, 21
// REPAIR: line 18: `if (i < n) tile[t] = in[i];` -> `tile[t] = i < n ? in[i] : 0;`; line 21: `distance > 1` -> `distance > 0`
// GOOD HINT: First: n = 10, which number is in slot 200 of the tile, and who has put it there? Then: how many slots are left when your loop ends?
// SYMPTOM: Uninitialized reads of the tile whenever a tile is not full (garbage, or right by luck); and about half of the elements are missing in the sum of each tile, those with odd numbers.

#include "reduction.h"

namespace {

constexpr int block = 256;

__global__ void sum_kernel(const float* in, float* out, int n) {
  __shared__ float tile[block];
  const int t = threadIdx.x;
  const int i = blockIdx.x * block + t;

  if (i < n) tile[t] = in[i];
  __syncthreads();

  for (int distance = block / 2; distance > 1; distance /= 2) {
    if (t < distance) tile[t] += tile[t + distance];
    __syncthreads();
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
