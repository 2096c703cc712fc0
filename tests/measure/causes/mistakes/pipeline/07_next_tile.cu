// CAUSE: Two mistakes. (1) The tile that is fetched in the loop is t + 1, but the block's next tile is t + step. (2) After a tile has been used the threads do not meet, so the next step's copy may overwrite a slot that others still use.
// LINES: 48, after 53
// REPAIR: `t + 1` -> `t + step` (line 48); and insert `__syncthreads();` after line 53
// GOOD HINT: (1) Which tile does this block use in the next round of the loop? (2) When a fast thread starts the next copy, how does it know that the slow ones are done with that slot?
// SYMPTOM: (1) Right with one block, or with one tile per block; else all tiles but the first of each block are the wrong ones. (2) Race: a slot is overwritten while other threads use it.
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
  pipe.producer_acquire();
  if (first < n) {
    const int count = min(tile_results, n - first) + taps - 1;
    cuda::memcpy_async(cg::this_thread_block(), tile, &in[first], sizeof(float) * count, pipe);
  }
  pipe.producer_commit();
}

__device__ void use(const float* tile, float* out, int t, int n, const Weights& weights) {
  const int first = t * tile_results;
  weigh(tile, &out[first], min(tile_results, n - first), weights);
}

__global__ void filter_kernel(const float* in, float* out, Weights weights, int n) {
  __shared__ __align__(16) float tile[stages][numbers];
  Pipeline pipe = cuda::make_pipeline();
  const int tiles = (n + tile_results - 1) / tile_results;
  const int step = gridDim.x;
  int current = 0;

  fetch(tile[current], in, blockIdx.x, n, pipe);

  for (int t = blockIdx.x; t < tiles; t += step) {
    fetch(tile[1 - current], in, t + 1, n, pipe);

    cuda::pipeline_consumer_wait_prior<1>(pipe);
    __syncthreads();

    use(tile[current], out, t, n, weights);
    pipe.consumer_release();

    current = 1 - current;
  }
}

}  // namespace

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  if (n > 0) {
    filter_kernel<<<blocks, block>>>(in, out, weights, n);
  }
}
