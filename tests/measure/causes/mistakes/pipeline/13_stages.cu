// CAUSE: Two mistakes. (1) Before the loop every block fetches tile 0, but block b begins with tile b. (2) The wait allows two batches to be under way, which are just those of this tile and of the next one: it does not wait for the tile that is used.
// LINES: 44, 48
// REPAIR: `in, 0, n` -> `in, blockIdx.x, n` (line 44); and `wait_prior<stages>` -> `wait_prior<stages - 1>` (line 48)
// GOOD HINT: (1) Which tile does block 3 use first, and which one has it fetched? (2) How many batches have been committed at the first wait, and how many of them does your wait leave out?
// SYMPTOM: (1) The first tile of all blocks but block 0 gets the results of tile 0; right with one block. (2) Tiles are used before they have arrived: race or uninitialized numbers, named by the emulator, sometimes right on a GPU.
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

  fetch(tile[0], in, 0, n, pipe);
  int slot = 0;
  for (int t = blockIdx.x; t < tiles; t += step) {
    fetch(tile[1 - slot], in, t + step, n, pipe);
    cuda::pipeline_consumer_wait_prior<stages>(pipe);
    __syncthreads();
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
