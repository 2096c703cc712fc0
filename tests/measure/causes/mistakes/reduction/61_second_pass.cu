// CAUSE: The second launch adds up the sums of the blocks, but is told that there are n of them instead of one per block.
// LINES: 43
// REPAIR: sum_kernel<<<1, block>>>(work, out, blocks);
// SYMPTOM: For n > 256 the second pass reads numbers of work that nobody wrote, and reads past its end; the sum is wrong.

#include "reduction.h"

namespace {

constexpr int block = 256;
constexpr int max_blocks = 1024;

// Each thread adds up many elements, then the block adds up its threads.
__global__ void sum_kernel(const float* in, float* out, int n) {
  __shared__ float tile[block];
  const int t = threadIdx.x;

  float mine = 0;
  const long long stride = static_cast<long long>(gridDim.x) * block;
  for (long long i = static_cast<long long>(blockIdx.x) * block + t; i < n; i += stride) {
    mine += in[i];
  }
  tile[t] = mine;
  __syncthreads();

  for (int half = block / 2; half > 0; half /= 2) {
    if (t < half) tile[t] += tile[t + half];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = tile[0];
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  int blocks = (n + block - 1) / block;
  if (blocks > max_blocks) blocks = max_blocks;

  if (blocks <= 1) {
    sum_kernel<<<1, block>>>(in, out, n);
  } else {
    sum_kernel<<<blocks, block>>>(in, work, n);
    sum_kernel<<<1, block>>>(work, out, n);
  }
}
