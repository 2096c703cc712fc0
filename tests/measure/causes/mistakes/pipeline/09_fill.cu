// CAUSE: The tile is filled by ordinary loads and stores, one number after the other. Nothing is copied asynchronously; the batches that are committed and waited for are empty.
// LINES: 28
// REPAIR: `tile[i] = in[first + i];` -> `cuda::memcpy_async(&tile[i], &in[first + i], sizeof(float), pipe);` (line 28)
// GOOD HINT: Which instructions does the line that fills the tile become? Does a thread go on at once, or does its store wait for the load?
// SYMPTOM: Results right; no asynchronous copies, the next tile's loads are waited for before this tile is used; little faster than the baseline.
#include <cooperative_groups.h>

#include <cuda/pipeline>

#include "pipeline.h"

namespace {

using Pipeline = cuda::pipeline<cuda::thread_scope_thread>;

constexpr int block = 256;
constexpr int tile_results = 4 * block;
constexpr int numbers = tile_results + taps - 1;
constexpr int stages = 2;

// The block copies tile t, if there is one.
__device__ void fetch(float* tile, const float* in, int t, int n, Pipeline& pipe) {
  const int first = t * tile_results;
  pipe.producer_acquire();
  if (first < n) {
    const int count = min(tile_results, n - first) + taps - 1;
    for (int i = threadIdx.x; i < count; i += block) {
      tile[i] = in[first + i];
    }
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
    const int other = 1 - slot;
    fetch(tile[other], in, t + step, n, pipe);
    cuda::pipeline_consumer_wait_prior<1>(pipe);
    __syncthreads();

    use(tile[slot], out, t, n, weights);
    __syncthreads();
    pipe.consumer_release();
    slot = other;
  }
}

}  // namespace

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  if (n > 0) filter_kernel<<<blocks, block>>>(in, out, weights, n);
}
