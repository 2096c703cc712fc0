// CAUSE: The batch is committed only if there is a tile. In the last step there is no empty batch, so waiting for all batches but the last does not wait for the last tile.
// LINES: 29
// REPAIR: pipe.producer_commit();   // after the if, in any case
// SYMPTOM: The last tile of each block is used before its copy has arrived.

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
    cuda::memcpy_async(cg::this_thread_block(), tile, &in[first], count * sizeof(float), pipe);
    pipe.producer_commit();
  }
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

  int slot = 0;
  fetch(tile[slot], in, blockIdx.x, n, pipe);
  for (int t = blockIdx.x; t < tiles; t += step) {
    fetch(tile[1 - slot], in, t + step, n, pipe);
    cuda::pipeline_consumer_wait_prior<1>(pipe);
    __syncthreads();

    use(tile[slot], out, t, n, weights);
    pipe.consumer_release();
    __syncthreads();
    slot = 1 - slot;
  }
}

}  // namespace

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  if (n > 0) filter_kernel<<<blocks, block>>>(in, out, weights, n);
}
