// CAUSE: The loop goes on while distance >= 0, but half of 0 is 0, so it never ends.
// LINES: 21
// REPAIR: line 21: `distance >= 0` -> `distance > 0`
// GOOD HINT: Write down the values of your distance, one round after the other. When does the loop end?
// SYMPTOM: The kernel hangs at every size.

#include "reduction.h"

namespace {

constexpr int block = 256;  // threads of a block, and elements of its tile

__global__ void sum_kernel(const float* in, float* out, int n) {
  __shared__ float tile[block];
  const int t = threadIdx.x;
  const int first = blockIdx.x * block;
  tile[t] = first + t < n ? in[first + t] : 0;
  __syncthreads();

  int distance = block / 2;
  while (distance >= 0) {
    if (t < distance) tile[t] += tile[t + distance];
    __syncthreads();
    distance = distance / 2;
  }

  if (t == 0) out[blockIdx.x] = tile[0];
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  int blocks = (n + block - 1) / block;
  while (blocks > 1) {
    sum_kernel<<<blocks, block>>>(in, work, n);
    in = work;
    work += blocks;
    n = blocks;
    blocks = (n + block - 1) / block;
  }
  sum_kernel<<<1, block>>>(in, out, n);
}
