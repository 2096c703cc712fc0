// CAUSE: The next tile of a block is t + gridDim.x. The block fetches t + 1, which is the tile of another block.
// LINES: 41
// REPAIR: line 41: `copy_tile(later, in, t + 1, n, pipe);` -> `copy_tile(later, in, t + gridDim.x, n, pipe);`
// SYMPTOM: Wrong results from the second tile of each block on, if there are several blocks.

#include <cooperative_groups.h>

#include <cuda/pipeline>

#include "pipeline.h"

namespace cg = cooperative_groups;

namespace {

using Pipeline = cuda::pipeline<cuda::thread_scope_thread>;

constexpr int block = 256;
constexpr int tile_results = 4 * block;
constexpr int numbers = tile_results + taps - 1;

__device__ void copy_tile(float* tile, const float* in, int t, int n, Pipeline& pipe) {
  const int first = t * tile_results;
  if (first < n) {
    const int count = min(numbers, n - first + taps - 1);
    cuda::memcpy_async(cg::this_thread_block(), tile, in + first, count * sizeof(float), pipe);
  }
  pipe.producer_commit();
}

__global__ void filter_kernel(const float* in, float* out, Weights weights, int n) {
  __shared__ __align__(16) float even[numbers];
  __shared__ __align__(16) float odd[numbers];
  float* now = even;
  float* later = odd;
  Pipeline pipe = cuda::make_pipeline();
  const int tiles = (n + tile_results - 1) / tile_results;

  copy_tile(now, in, blockIdx.x, n, pipe);
  for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
    copy_tile(later, in, t + 1, n, pipe);
    cuda::pipeline_consumer_wait_prior<1>(pipe);
    __syncthreads();
    const int first = t * tile_results;
    weigh(now, out + first, min(tile_results, n - first), weights);
    pipe.consumer_release();
    __syncthreads();
    float* const swapped = now;
    now = later;
    later = swapped;
  }
}

}  // namespace

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  if (n == 0) return;
  filter_kernel<<<blocks, block>>>(in, out, weights, n);
}
