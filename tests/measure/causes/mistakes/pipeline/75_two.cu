// CAUSE: (1) A block moves on by blockDim.x tiles, the number of its threads, instead of gridDim.x, the number of blocks. (2) There is no barrier after the wait, but a thread waits for its own copies only, not for those of the others.
// LINES: 42 after 50
// REPAIR: (1) const int step = gridDim.x; (2) insert __syncthreads();
// SYMPTOM: Unless there are 256 blocks, tiles are left out (fewer blocks, more tiles) or made twice (more blocks); and threads use numbers that others are still copying: a data race.
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
    const int results = min(tile_results, n - first);
    const size_t bytes = sizeof(float) * (results + taps - 1);
    cuda::memcpy_async(cg::this_thread_block(), tile, &in[first], bytes, pipe);
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
  const int step = blockDim.x;

  fetch(tile[0], in, blockIdx.x, n, pipe);
  int slot = 0;
  for (int t = blockIdx.x; t < tiles; t += step) {
    // start the next one, then wait for this one
    const int next = 1 - slot;
    fetch(tile[next], in, t + step, n, pipe);
    cuda::pipeline_consumer_wait_prior<1>(pipe);

    use(tile[slot], out, t, n, weights);
    pipe.consumer_release();
    __syncthreads();
    slot = next;
  }
}

}  // namespace

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  if (n > 0) {
    filter_kernel<<<blocks, block>>>(in, out, weights, n);
  }
}
