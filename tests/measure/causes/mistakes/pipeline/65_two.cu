// CAUSE: (1) The barrier comes before the wait, so it says nothing about the other threads' copies. (2) The last tile is always weighed in full, though it may have fewer results.
// LINES: 42 43 45
// REPAIR: (1) swap the two lines; (2) min(tile_results, n - first) instead of tile_results
// SYMPTOM: The other threads' copies may still be in flight when the tile is used (data race), and unless n is a multiple of 1024, results are written past the end of out from slots that nobody filled.

#include <cooperative_groups.h>

#include <cuda/pipeline>

#include "pipeline.h"

namespace cg = cooperative_groups;

namespace {

using Pipeline = cuda::pipeline<cuda::thread_scope_thread>;

constexpr int block = 256;
constexpr int tile_results = 4 * block;
constexpr int numbers = tile_results + taps - 1;
constexpr int stages = 2;

__device__ void fetch(float* tile, const float* in, int t, int n, Pipeline& pipe) {
  const int first = t * tile_results;
  if (first < n) {
    const int count = min(numbers, n + taps - 1 - first);
    cuda::memcpy_async(cg::this_thread_block(), tile, in + first, sizeof(float) * count, pipe);
  }
  pipe.producer_commit();
}

__global__ void filter_kernel(const float* in, float* out, Weights weights, int n) {
  __shared__ __align__(16) float tile[stages][numbers];
  Pipeline pipe = cuda::make_pipeline();
  const int tiles = (n + tile_results - 1) / tile_results;
  const int step = gridDim.x;

  int current = 0;
  fetch(tile[current], in, blockIdx.x, n, pipe);
  for (int t = blockIdx.x; t < tiles; t += step) {
    fetch(tile[1 - current], in, t + step, n, pipe);
    __syncthreads();
    cuda::pipeline_consumer_wait_prior<1>(pipe);
    const int first = t * tile_results;
    weigh(tile[current], &out[first], tile_results, weights);
    __syncthreads();
    current = 1 - current;
  }
}

}  // namespace

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  if (n == 0) return;
  filter_kernel<<<blocks, block>>>(in, out, weights, n);
}
