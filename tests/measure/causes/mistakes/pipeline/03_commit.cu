// CAUSE: The batch is committed only if the tile exists. In a block's last step there is no new batch, so "all batches but the last" leaves out the batch of the very tile that is about to be used.
// LINES: 30, after 31
// REPAIR: delete `pipe.producer_commit();` (line 30); and insert `pipe.producer_commit();` after line 31
// GOOD HINT: Write down the batches of a block that has just one tile. Which of them does wait_prior<1> wait for?
// SYMPTOM: The last tile of each block is used without having waited for it (race, or uninitialized numbers); with n <= 1024 all results. Often right on a GPU, named by the emulator.
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
    const int count = min(tile_results, n - first) + taps - 1;
    for (int i = threadIdx.x; i < count; i += block) {
      cuda::memcpy_async(&tile[i], &in[first + i], sizeof(float), pipe);
    }
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

  fetch(tile[0], in, blockIdx.x, n, pipe);
  int slot = 0;
  for (int t = blockIdx.x; t < tiles; t += step) {
    fetch(tile[slot ^ 1], in, t + step, n, pipe);
    cuda::pipeline_consumer_wait_prior<1>(pipe);
    __syncthreads();
    use(tile[slot], out, t, n, weights);
    __syncthreads();
    slot ^= 1;
  }
}

}  // namespace

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  if (n > 0) filter_kernel<<<blocks, block>>>(in, out, weights, n);
}
