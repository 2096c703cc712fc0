// CAUSE: The block has 8 warps, so only 8 of the 32 slots of partial[] are filled, but the last warp-wide sum adds all 32. The lanes from 8 on must bring a 0 instead of a slot that nobody has written.
// LINES: 39
// REPAIR: line 39: `x = partial[threadIdx.x];` -> `x = threadIdx.x < block / 32 ? partial[threadIdx.x] : 0.0f;`
// SYMPTOM: Reads of shared memory that nobody wrote; sums are off by whatever is in there.

#include "reduction.h"

namespace {

constexpr int block = 256;
constexpr int per_thread = 8;
constexpr unsigned everyone = ~0u;

__device__ float add_warp(float x) {
  x += __shfl_xor_sync(everyone, x, 16);
  x += __shfl_xor_sync(everyone, x, 8);
  x += __shfl_xor_sync(everyone, x, 4);
  x += __shfl_xor_sync(everyone, x, 2);
  x += __shfl_xor_sync(everyone, x, 1);
  return x;
}

__global__ void pass(const float* in, float* out, int n) {
  __shared__ float partial[32];

  float x = 0;
  const int start = blockIdx.x * block * per_thread + threadIdx.x;
#pragma unroll
  for (int k = 0; k < per_thread; ++k) {
    const int i = start + k * block;
    if (i < n) x += in[i];
  }

  x = add_warp(x);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = x;
  __syncthreads();

  if (threadIdx.x < 32) {
    x = partial[threadIdx.x];
    x = add_warp(x);
    if (threadIdx.x == 0) out[blockIdx.x] = x;
  }
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  constexpr int share = block * per_thread;
  while (n > share) {
    const int blocks = (n - 1) / share + 1;
    pass<<<blocks, block>>>(in, work, n);
    in = work;
    work += blocks;
    n = blocks;
  }
  pass<<<1, block>>>(in, out, n);
}
