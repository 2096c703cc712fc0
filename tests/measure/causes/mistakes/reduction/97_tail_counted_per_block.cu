// CAUSE: The last n mod 4 elements are added by the first threads of every block instead of those of one block.
// LINES: 44
// REPAIR: line 44: `if (tail < n) b += in[tail];` -> `if (tail < n && blockIdx.x == 0) b += in[tail];`
// SYMPTOM: If n is not a multiple of 4 and there are several blocks, the tail is added as often as there are blocks: the sum is wrong.

#include "reduction.h"

// Two passes. In the first one each thread adds up many float4, four loads at a time.

namespace {

constexpr int T = 512;

__device__ float sum4(float4 v) { return (v.x + v.y) + (v.z + v.w); }

__device__ void store_block_sum(float mine, float* out) {
  __shared__ float tile[T];
  tile[threadIdx.x] = mine;
  __syncthreads();
  for (int half = T / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) tile[threadIdx.x] += tile[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = tile[0];
}

__global__ void first_pass(const float* in, float* sums, int n) {
  const float4* in4 = reinterpret_cast<const float4*>(in);
  const int quads = n / 4;
  const int stride = gridDim.x * T;
  int q = blockIdx.x * T + threadIdx.x;
  float a = 0, b = 0, c = 0, d = 0;
  for (; q + 3 * stride < quads; q += 4 * stride) {
    const float4 va = in4[q], vb = in4[q + stride];
    const float4 vc = in4[q + 2 * stride], vd = in4[q + 3 * stride];
    a += sum4(va);
    b += sum4(vb);
    c += sum4(vc);
    d += sum4(vd);
  }
  for (; q < quads; q += stride) a += sum4(in4[q]);

  const int tail = 4 * quads + threadIdx.x;
  if (tail < n) b += in[tail];

  store_block_sum((a + b) + (c + d), sums);
}

__global__ void second_pass(const float* sums, float* out, int count) {
  float mine = 0;
  for (int i = threadIdx.x; i < count; i += T) mine += sums[i];
  store_block_sum(mine, out);
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  const int wanted = n / (32 * T) + 1;
  const int blocks = wanted < 528 ? wanted : 528;
  first_pass<<<blocks, T>>>(in, work, n);
  second_pass<<<1, T>>>(work, out, blocks);
}
