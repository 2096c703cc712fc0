// CAUSE: From the second pass on, a pass reads its numbers from the start of work and stores its sums there, too, while other blocks still have to read them.
// LINES: after 42
// REPAIR: insert work += blocks;
// SYMPTOM: Right up to 65,536 elements. With three passes or more there is a data race between blocks on work, and the sum depends on their order.

#include "reduction.h"

namespace {

constexpr int block = 256;

__global__ void sum_kernel(const float* numbers, float* sums, int count) {
  __shared__ float tile[block];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * block + tx;

  if (i < count) {
    tile[tx] = numbers[i];
  } else {
    tile[tx] = 0.0f;
  }
  __syncthreads();

  for (int distance = block / 2; distance >= 1; distance >>= 1) {
    if (tx < distance) {
      tile[tx] = tile[tx] + tile[tx + distance];
    }
    __syncthreads();
  }

  if (tx == 0) sums[blockIdx.x] = tile[0];
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  const float* source = in;
  int left = n;
  while (left > block) {
    const int blocks = (left + block - 1) / block;
    sum_kernel<<<blocks, block>>>(source, work, left);
    source = work;
    left = blocks;
  }
  sum_kernel<<<1, block>>>(source, out, left);
}
