// CAUSE: The sums of the blocks are added with atomicAdd in the order in which the blocks happen to be done, so the rounding, and with it the bits of the result, change from call to call.
// LINES: 29, 37
// REPAIR: line 29: `atomicAdd(out, tile[0])` -> `out[blockIdx.x] = tile[0]`; line 37: `if (n > 0) sum_kernel<<<(n + block - 1) / block, block>>>(in, out, n);` -> `for (; n > block; n = (n + block - 1) / block) { sum_kernel<<<(n + block - 1) / block, block>>>(in, work, n); in = work; work += (n + block - 1) / block; } sum_kernel<<<1, block>>>(in, out, n);`
// GOOD HINT: In which order do your blocks add to out[0]? Is it the same in the next call, and what does reduction.h say about that?
// SYMPTOM: Sums within the tolerance in most cases, but equal inputs give different bits from call to call (if the sums round); for very large n also too many additions in a row.

// Lab `reduction`: no passes, the blocks add to the result themselves

#include "reduction.h"

namespace {

constexpr int block = 256;

__global__ void zero_kernel(float* out) { *out = 0; }

__global__ void sum_kernel(const float* in, float* out, int n) {
  __shared__ float tile[block];
  const int t = threadIdx.x;
  const int i = blockIdx.x * block + t;
  tile[t] = i < n ? in[i] : 0;
  __syncthreads();

  for (int distance = block / 2; distance > 0; distance /= 2) {
    if (t < distance) tile[t] += tile[t + distance];
    __syncthreads();
  }

  if (t == 0) atomicAdd(out, tile[0]);
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  (void)work;
  zero_kernel<<<1, 1>>>(out);
  if (n > 0) sum_kernel<<<(n + block - 1) / block, block>>>(in, out, n);
}
