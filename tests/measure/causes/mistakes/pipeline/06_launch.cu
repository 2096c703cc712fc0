// CAUSE: The kernel is launched with a block for each tile, not with the `blocks` that the caller has room for. With one tile per block there is no next tile, either, that could arrive meanwhile.
// LINES: 60
// REPAIR: `<<<(n + tile_results - 1) / tile_results, block>>>` -> `<<<blocks, block>>>` (line 60)
// GOOD HINT: What does pipeline.h say about the parameter `blocks`? How many tiles does each of your blocks have?
// SYMPTOM: Results right; more blocks than allowed as soon as there are more tiles than `blocks` (contract broken), and nothing overlaps within a block.
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

__device__ void fetch(float* tile, const float* in, int t, int n, Pipeline& pipe) {
  const int first = t * tile_results;
  if (first < n) {
    const auto group = cg::this_thread_block();
    const int results = min(tile_results, n - first);
    cuda::memcpy_async(group, tile, &in[first], sizeof(float) * (results + taps - 1), pipe);
  }
  pipe.producer_commit();
}

__device__ void use(const float* tile, float* out, int t, int n, const Weights& weights) {
  const int first = t * tile_results;
  weigh(tile, &out[first], min(tile_results, n - first), weights);
}

__global__ void __launch_bounds__(block)
    filter_kernel(const float* in, float* out, Weights weights, int n) {
  __shared__ __align__(16) float tile[stages][numbers];
  Pipeline pipe = cuda::make_pipeline();
  const int tiles = (n + tile_results - 1) / tile_results;
  const int step = gridDim.x;

  fetch(tile[0], in, blockIdx.x, n, pipe);
  for (int t = blockIdx.x, slot = 0; t < tiles; t += step, slot = 1 - slot) {
    fetch(tile[1 - slot], in, t + step, n, pipe);
    cuda::pipeline_consumer_wait_prior<1>(pipe);
    __syncthreads();
    use(tile[slot], out, t, n, weights);
    __syncthreads();
  }
}

}  // namespace

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  if (n == 0) return;
  // one block per tile
  filter_kernel<<<(n + tile_results - 1) / tile_results, block>>>(in, out, weights, n);
}
