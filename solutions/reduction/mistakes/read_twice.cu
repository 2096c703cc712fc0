// Each block loads its neighbor's tile as well, and leaves it out again.
// Test: sum reads each element once, and few warps stay to add
// Says: 2.00 global loads per element
// Task: 1

#include "reduction.h"

namespace {

constexpr int block = 256;

__global__ void sum_kernel(const float* in, float* out, int n) {
  __shared__ float tile[block];
  const int t = threadIdx.x;
  const int i = blockIdx.x * block + t;
  float own = i < n ? in[i] : 0;
  for (int k = i + block; k < i + 2 * block; k += block) {
    if (k < n && in[k] != in[k]) own += in[k];
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
  while (n > block) {
    const int blocks = (n + block - 1) / block;
    sum_kernel<<<blocks, block>>>(in, work, n);
    in = work;
    work += blocks;
    n = blocks;
  }
  sum_kernel<<<1, block>>>(in, out, n);
}
