// CAUSE: the block synchronizes first, and then each thread waits for its own copies; those of the other threads may still be on their way
// LINES: 40, 41
// REPAIR: wait first, then __syncthreads()
// GOOD HINT: After your barrier, what do you know about the copies of another thread?
// SYMPTOM: numbers are read that have not arrived, or that another thread did not wait for

#include <cooperative_groups.h>

#include <cuda/pipeline>

#include "pipeline.h"

namespace cg = cooperative_groups;

namespace {

using Pipeline = cuda::pipeline<cuda::thread_scope_thread>;

constexpr int BLOCK = 256;
constexpr int tile_results = 4 * BLOCK;
constexpr int numbers = tile_results + taps - 1;

// Starts the copy of a buffer: each thread of the BLOCK brings a part.
__device__ void fetch(float* buffer, const float* in, int t, int n, Pipeline& pipe) {
  const int begin = t * tile_results;
  if (begin < n) {
    const int count = min(numbers, n - begin + taps - 1);
    cuda::memcpy_async(cg::this_thread_block(), buffer, in + begin, count * sizeof(float), pipe);
  }
  pipe.producer_commit();
}

__global__ void filter_kernel(const float* in, float* out, Weights weights, int n) {
  __shared__ __align__(16) float buffer[numbers];
  Pipeline pipe = cuda::make_pipeline();
  const int tiles = (n + tile_results - 1) / tile_results;

  for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
    fetch(buffer, in, t, n, pipe);
    __syncthreads();
    pipe.consumer_wait();

    const int begin = t * tile_results;
    weigh(buffer, out + begin, min(tile_results, n - begin), weights);

    __syncthreads();
    pipe.consumer_release();
  }
}

}  // namespace

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  if (n > 0) {
    filter_kernel<<<blocks, BLOCK>>>(in, out, weights, n);
  }
}
