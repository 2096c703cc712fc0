// CAUSE: The sums of the blocks are added up by many threads with atomicAdd on a float, in the order in which the threads happen to come, and each order rounds differently.
// LINES: 32
// REPAIR: if (t == 0) for (int k = 0; k < count; ++k) *out += partial[k]; instead of the loop with atomicAdd
// SYMPTOM: The sum is right within rounding, but not the same bits in every run (another order of the threads gives other bits).
#include "reduction.h"

namespace {

constexpr int threads = 256;
constexpr int max_blocks = 1024;

__global__ void partial_kernel(const float* in, float* partial, int n) {
  __shared__ float tile[threads];
  const int t = threadIdx.x;

  float own = 0;
  for (int i = blockIdx.x * threads + t; i < n; i += gridDim.x * threads) own += in[i];
  tile[t] = own;
  __syncthreads();

  for (int distance = threads / 2; distance >= 1; distance /= 2) {
    if (t < distance) tile[t] += tile[t + distance];
    __syncthreads();
  }
  if (t == 0) partial[blockIdx.x] = tile[0];
}

__global__ void total_kernel(const float* partial, float* out, int count) {
  const int t = threadIdx.x;
  if (t == 0) *out = 0;
  __syncthreads();
  for (int k = t; k < count; k += threads) atomicAdd(out, partial[k]);
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  int blocks = (n + threads - 1) / threads;
  if (blocks > max_blocks) blocks = max_blocks;
  if (blocks > 0) partial_kernel<<<blocks, threads>>>(in, work, n);
  total_kernel<<<1, threads>>>(work, out, blocks);
}
