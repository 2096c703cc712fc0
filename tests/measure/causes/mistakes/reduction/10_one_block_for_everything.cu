// CAUSE: A single block adds up all elements: each thread adds n / 256 of them one after the other, which rounds too often for large n and leaves all multiprocessors but one without work.
// LINES: 38
// REPAIR: line 38: `sum_kernel<<<1, block>>>(in, out, n);` -> `const int blocks = n < 1024 * block ? n / block + 1 : 1024; sum_kernel<<<blocks, block>>>(in, work, n); sum_kernel<<<1, block>>>(work, out, blocks);`
// GOOD HINT: For n = 2^28, in how many additions does an element take part in your kernel, and how many does reduction.h allow for? How many of the multiprocessors have a block?
// SYMPTOM: Right for small n, and for sums that do not round. For n beyond 10,000 * 256 the rounding error may be more than the contract allows (equal positive numbers show it); very slow, far slower than the baseline.

// Lab `reduction`, many elements per thread

#include "reduction.h"

namespace {

constexpr int block = 256;

__global__ void sum_kernel(const float* in, float* out, int n) {
  __shared__ float tile[block];
  const int t = threadIdx.x;
  const int step = gridDim.x * block;

  // a register of each thread
  float own = 0;
  for (int i = blockIdx.x * block + t; i < n; i += step) own += in[i];

  // the tile
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
  (void)work;  // one pass is enough
  sum_kernel<<<1, block>>>(in, out, n);
}
