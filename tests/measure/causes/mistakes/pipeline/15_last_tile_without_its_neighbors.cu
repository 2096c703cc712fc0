// CAUSE: for the last tile only as many numbers are copied as it has results, but each result needs 32 more
// LINES: 27
// REPAIR: min(numbers, n - begin + taps - 1)
// GOOD HINT: How many numbers does a tile with a single result need?
// SYMPTOM: the last results are made of old numbers, or of ones that nobody wrote

#include <cooperative_groups.h>

#include <cuda/pipeline>

#include "pipeline.h"

namespace cg = cooperative_groups;

namespace {

using Pipeline = cuda::pipeline<cuda::thread_scope_thread>;

constexpr int block = 256;
constexpr int tile_results = 4 * block;
constexpr int numbers = tile_results + taps - 1;

// Starts the copy of a tile: each thread of the block brings a part.
__device__ void fetch(float* tile, const float* in, int t, int n, Pipeline& pipe) {
  const int begin = t * tile_results;
  if (begin < n) {
    const int count = min(numbers, n - begin);
    cuda::memcpy_async(cg::this_thread_block(), tile, in + begin, count * sizeof(float), pipe);
  }
  pipe.producer_commit();
}

__global__ void filter_kernel(const float* in, float* out, Weights weights, int n) {
  __shared__ __align__(16) float tile[numbers];
  Pipeline pipe = cuda::make_pipeline();
  const int tiles = (n + tile_results - 1) / tile_results;

  for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
    fetch(tile, in, t, n, pipe);
    pipe.consumer_wait();
    __syncthreads();

    const int begin = t * tile_results;
    weigh(tile, out + begin, min(tile_results, n - begin), weights);

    __syncthreads();
    pipe.consumer_release();
  }
}

}  // namespace

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  if (n > 0) {
    filter_kernel<<<blocks, block>>>(in, out, weights, n);
  }
}
