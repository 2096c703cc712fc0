// CAUSE: The barrier comes before the wait. A thread then knows only that its own copies have arrived, not those of the other threads, when it begins to use the tile.
// LINES: 48, 49
// REPAIR: `__syncthreads();` -> `cuda::pipeline_consumer_wait_prior<1>(pipe);` (line 48); and `cuda::pipeline_consumer_wait_prior<1>(pipe);` -> `__syncthreads();` (line 49)
// GOOD HINT: After your wait, whose copies have arrived for sure? And what does a barrier tell you that is passed before anybody has waited?
// SYMPTOM: Race: numbers of the tile are used whose copy another thread has not waited for. Named by the emulator; mostly right on a GPU.
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

  int slot = 0;
  fetch(tile[slot], in, blockIdx.x, n, pipe);
  for (int t = blockIdx.x; t < tiles; t += step) {
    fetch(tile[1 - slot], in, t + step, n, pipe);
    __syncthreads();
    cuda::pipeline_consumer_wait_prior<1>(pipe);

    use(tile[slot], out, t, n, weights);
    __syncthreads();
    pipe.consumer_release();
    slot = 1 - slot;
  }
}

}  // namespace

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  if (n > 0) filter_kernel<<<blocks, block>>>(in, out, weights, n);
}
