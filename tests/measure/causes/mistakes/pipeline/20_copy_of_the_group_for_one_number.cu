// CAUSE: each thread asks for a copy of its own number, but with the memcpy_async of the whole block, which all threads have to call with the same arguments and which copies one number then
// LINES: 29
// REPAIR: cuda::memcpy_async(tile + i, in + first + i, sizeof(float), pipe), without the group
// GOOD HINT: Who takes part in a memcpy_async that gets a group? Do all of them give it the same address?
// SYMPTOM: the checker says that the threads of the block disagree about the copy, or most of the tile is never filled

#include <cooperative_groups.h>

#include <cuda/pipeline>

#include "pipeline.h"

namespace cg = cooperative_groups;

namespace {

constexpr int threads = 128;
constexpr int results = 512;
constexpr int length = results + taps - 1;

using Pipe = cuda::pipeline<cuda::thread_scope_thread>;

__device__ void start_copy(float* tile, const float* in, int t, int n, Pipe& pipe) {
  const int first = t * results;
  pipe.producer_acquire();
  if (first < n) {
    const int count = min(results, n - first) + taps - 1;
    for (int i = threadIdx.x; i < count; i += threads) {
      cuda::memcpy_async(cg::this_thread_block(), tile + i, in + first + i, sizeof(float), pipe);
    }
  }
  pipe.producer_commit();
}

__global__ void run(const float* in, float* out, Weights weights, int n) {
  __shared__ __align__(16) float tiles[2][length];
  Pipe pipe = cuda::make_pipeline();
  int now = 0;
  start_copy(tiles[now], in, blockIdx.x, n, pipe);
  for (int t = blockIdx.x; t * results < n; t += gridDim.x) {
    start_copy(tiles[1 - now], in, t + gridDim.x, n, pipe);
    cuda::pipeline_consumer_wait_prior<1>(pipe);
    __syncthreads();
    weigh(tiles[now], out + t * results, min(results, n - t * results), weights);
    pipe.consumer_release();
    __syncthreads();
    now = 1 - now;
  }
}

}  // namespace

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  if (n > 0) run<<<blocks, threads>>>(in, out, weights, n);
}
