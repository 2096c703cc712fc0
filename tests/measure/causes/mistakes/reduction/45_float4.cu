// CAUSE: The last n % 4 elements are for the first threads of the whole grid, but threadIdx.x is asked alone, so every block adds them.
// LINES: 24
// REPAIR: line 24: `if (tid < n % 4) mine += in[4 * quads + tid];` -> `if (blockIdx.x == 0 && tid < n % 4) mine += in[4 * quads + tid];`
// SYMPTOM: Right if n is a multiple of 4 or one block is enough (n <= 4096); otherwise the last one to three elements count once per block.
#include "reduction.h"

namespace {

constexpr int threads = 256;
constexpr int most_blocks = 528;

__device__ float add(float4 v) { return (v.x + v.y) + (v.z + v.w); }

__global__ void reduce(const float* in, float* out, int n) {
  __shared__ float tile[threads];
  const int tid = threadIdx.x;
  const int quads = n / 4;
  const float4* in4 = reinterpret_cast<const float4*>(in);

  float mine = 0;
  for (int q = blockIdx.x * threads + tid; q < quads; q += gridDim.x * threads) mine += add(in4[q]);

  // up to three elements are left over
  if (tid < n % 4) mine += in[4 * quads + tid];

  tile[tid] = mine;
  __syncthreads();
#pragma unroll
  for (int half = threads / 2; half > 0; half /= 2) {
    if (tid < half) tile[tid] += tile[tid + half];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = tile[0];
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  const int share = 16 * threads;  // elements that are worth a block
  int blocks = (n + share - 1) / share;
  if (blocks > most_blocks) blocks = most_blocks;

  if (blocks <= 1) {
    reduce<<<1, threads>>>(in, out, n);
  } else {
    reduce<<<blocks, threads>>>(in, work, n);
    reduce<<<1, threads>>>(work, out, blocks);
  }
}
