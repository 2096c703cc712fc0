// CAUSE: The barrier stands after the loop over the rounds instead of at the end of each round. A thread may add an element of the second half to its own before another thread has finished that element in the round before.
// LINES: 15 16
// REPAIR: before line 15: add `__syncthreads();`; delete line 16: `__syncthreads();`
// SYMPTOM: Data race on the tile between two rounds, and sums that depend on the order of the threads.

#include "reduction.h"

namespace {

template <int Threads>
__device__ void fold(float* shared) {
#pragma unroll
  for (int distance = Threads / 2; distance >= 1; distance /= 2) {
    if (threadIdx.x < distance) shared[threadIdx.x] += shared[threadIdx.x + distance];
  }
  __syncthreads();
}

template <int Threads>
__global__ void sum_vectors(const float* in, float* out, int n) {
  __shared__ float shared[Threads];
  const int stride = gridDim.x * Threads;
  const int id = blockIdx.x * Threads + threadIdx.x;
  const auto* quads = reinterpret_cast<const float4*>(in);
  const int count = n / 4;

  float mine = 0;
  for (int q = id; q < count; q += stride) {
    const float4 v = quads[q];
    mine += (v.x + v.y) + (v.z + v.w);
  }
  if (const int rest = 4 * count + id; rest < n) mine += in[rest];

  shared[threadIdx.x] = mine;
  __syncthreads();
  fold<Threads>(shared);
  if (threadIdx.x == 0) out[blockIdx.x] = shared[0];
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  constexpr int threads = 128;
  int blocks = n / (16 * threads) + 1;
  if (blocks > 512) blocks = 512;
  if (blocks == 1) {
    sum_vectors<threads><<<1, threads>>>(in, out, n);
  } else {
    sum_vectors<threads><<<blocks, threads>>>(in, work, n);
    sum_vectors<threads><<<1, threads>>>(work, out, blocks);
  }
}
