// CAUSE: With four slots, four batches are under way after the fetch, and the wait lets all four of them be unfinished; the tile that is about to be used is the oldest of them.
// LINES: 49
// REPAIR: cuda::pipeline_consumer_wait_prior<stages - 1>(pipe);
// SYMPTOM: The tile is used while its copy is still in flight: data race, reads of unwritten or old numbers, wrong results.

#include <cooperative_groups.h>

#include <cuda/pipeline>

#include "pipeline.h"

namespace cg = cooperative_groups;

namespace {

using Pipeline = cuda::pipeline<cuda::thread_scope_thread>;

constexpr int block = 256;
constexpr int tile_results = 4 * block;
constexpr int numbers = tile_results + taps - 1;
constexpr int stages = 4;

// Starts to copy tile t, if there is one. The batch is committed in any case.
__device__ void fetch(float* tile, const float* in, int t, int n, Pipeline& pipe) {
  const int first = t * tile_results;
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

  for (int s = 0; s < stages - 1; ++s) fetch(tile[s], in, blockIdx.x + s * step, n, pipe);

  int slot = 0;
  for (int t = blockIdx.x; t < tiles; t += step) {
    fetch(tile[(slot + stages - 1) % stages], in, t + (stages - 1) * step, n, pipe);
    cuda::pipeline_consumer_wait_prior<stages>(pipe);
    __syncthreads();
    use(tile[slot], out, t, n, weights);
    __syncthreads();
    slot = (slot + 1) % stages;
  }
}

}  // namespace

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  if (n > 0) filter_kernel<<<blocks, block>>>(in, out, weights, n);
}
