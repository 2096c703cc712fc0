// CAUSE: the mask of the shuffles names lanes 0 to 15 only, but all 32 lanes take part
// LINES: 11
// REPAIR: 0xffffffff
// GOOD HINT: How many bits of 0xffff are set? Which lanes do they stand for, and which lanes call the shuffle?
// SYMPTOM: the checker says that a lane calls a shuffle whose mask does not name it

#include "reduction.h"

namespace {

constexpr unsigned warp_mask = 0xffff;
constexpr int threads = 256;

__device__ float warpSum(float v) {
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(warp_mask, v, d);
  return v;
}

__global__ void partialSums(const float* data, float* result, int count) {
  __shared__ float perWarp[threads / 32];
  float v = 0;
  for (int i = blockIdx.x * threads + threadIdx.x; i < count; i += threads * gridDim.x) v += data[i];
  v = warpSum(v);
  if (threadIdx.x % 32 == 0) perWarp[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x == 0) {
    float all = 0;
    for (int w = 0; w < threads / 32; ++w) all += perWarp[w];
    result[blockIdx.x] = all;
  }
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  int blocks = n / 2048 + 1;
  if (blocks > 1024) blocks = 1024;
  partialSums<<<blocks, threads>>>(in, work, n);
  partialSums<<<1, threads>>>(work, out, blocks);
}
