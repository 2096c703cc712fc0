// CAUSE: The sums of the second pass begin in `work` right behind those of the first, at any multiple of 4 bytes, and the third pass loads them as float4, which needs a multiple of 16 bytes.
// LINES: 44
// REPAIR: line 44: `work += blocks;` -> `work += (blocks + 3) / 4 * 4;`
// GOOD HINT: reduction.h promises that `work` is aligned to 16 bytes. What do you know about the address from which your third pass loads?
// SYMPTOM: Right up to n = 196,608 (two passes, or a third one with fewer than four elements, which are not loaded as float4). Beyond that the kernel crashes with a misaligned address unless the number of sums of the first pass is a multiple of 4.

#include "reduction.h"

namespace {

constexpr int block = 64;
constexpr int chunk = 4 * block;  // elements of a block

// A thread adds four elements, then the block adds up its tile.
__global__ void sum_kernel(const float* in, float* out, int n) {
  __shared__ float tile[block];
  const int t = threadIdx.x;
  const int i = (blockIdx.x * block + t) * 4;

  float own = 0;
  if (i + 3 < n) {
    const float4 v = *reinterpret_cast<const float4*>(in + i);
    own = (v.x + v.y) + (v.z + v.w);
  } else {
    for (int k = i; k < n; ++k) own += in[k];
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

void sum(const float* in, float* out, float* work, int n) {
  while (n > chunk) {
    const int blocks = (n + chunk - 1) / chunk;
    sum_kernel<<<blocks, block>>>(in, work, n);
    in = work;
    work += blocks;
    n = blocks;
  }
  sum_kernel<<<1, block>>>(in, out, n);
}
