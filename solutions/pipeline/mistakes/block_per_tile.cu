// A block per tile: the GPU has no room for so many, and no block has a next tile to copy.
// Test: filter loads each number about once, with few threads
// Says: threads, but there is only room for 5 blocks of 256
// Task: 1

#include <cooperative_groups.h>

#include <cuda/pipeline>

#include "pipeline.h"

namespace cg = cooperative_groups;

namespace {

using Pipeline = cuda::pipeline<cuda::thread_scope_thread>;

constexpr int block = 256;                        // threads
constexpr int tile_results = 4 * block;           // that a tile yields
constexpr int numbers = tile_results + taps - 1;  // that they are made of
constexpr int stages = 2;

// Starts to copy tile t, if there is one, as one batch.
__device__ void fetch(float* tile, const float* in, int t, int n, Pipeline& pipe) {
  const int first = t * tile_results;
  pipe.producer_acquire();
  if (first < n) {
    const int count = min(tile_results, n - first) + taps - 1;
    cuda::memcpy_async(cg::this_thread_block(), tile, &in[first], sizeof(float) * count, pipe);
  }
  pipe.producer_commit();
}

// Computes the results of tile t.
__device__ void use(const float* tile, float* out, int t, int n, const Weights& weights) {
  const int first = t * tile_results;
  weigh(tile, &out[first], min(tile_results, n - first), weights);
}

__global__ void __launch_bounds__(block)
    filter_kernel(const float* __restrict__ in, float* __restrict__ out, Weights weights, int n) {
  __shared__ __align__(16) float tile[stages][numbers];
  Pipeline pipe = cuda::make_pipeline();
  const int tiles = (n + tile_results - 1) / tile_results;
  const int step = gridDim.x;

  fetch(tile[0], in, blockIdx.x, n, pipe);
  int slot = 0;
  for (int t = blockIdx.x; t < tiles; t += step) {
    fetch(tile[1 - slot], in, t + step, n, pipe);
    cuda::pipeline_consumer_wait_prior<1>(pipe);  // all batches but the last
    __syncthreads();
    use(tile[slot], out, t, n, weights);
    pipe.consumer_release();
    __syncthreads();
    slot = 1 - slot;
  }
}

}  // namespace

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  if (n > 0) filter_kernel<<<(n + tile_results - 1) / tile_results, block>>>(in, out, weights, n);
}
