// CAUSE: After consumer_wait() a thread knows only that its own copies have arrived, but no barrier follows before the block uses the tile, so copies of other threads may still be on their way.
// LINES: 42 43 44 45
// REPAIR: insert `__syncthreads();` after line 42
// SYMPTOM: A data race: threads weigh numbers that have not arrived yet; now and then wrong results.

#include <cooperative_groups.h>

#include <cuda/pipeline>

#include "pipeline.h"

namespace {

using Pipe = cuda::pipeline<cuda::thread_scope_thread>;

constexpr int block = 256;
constexpr int tile_results = 4 * block;
constexpr int numbers = tile_results + taps - 1;
constexpr int stages = 2;

__device__ void fetch(float* slot, const float* in, int t, int tiles, int n, Pipe& pipe) {
  pipe.producer_acquire();
  if (t < tiles) {
    const int first = t * tile_results;
    const int count = min(numbers, n + taps - 1 - first);
    for (int i = threadIdx.x; i < count; i += block)
      cuda::memcpy_async(&slot[i], &in[first + i], sizeof(float), pipe);
  }
  pipe.producer_commit();
}

__global__ void filter_kernel(const float* in, float* out, Weights weights, int n) {
  __shared__ __align__(16) float tile[stages][numbers];
  Pipe pipe = cuda::make_pipeline();
  const int tiles = (n + tile_results - 1) / tile_results;
  const int step = gridDim.x;

  int slot = 0;
  fetch(tile[slot], in, blockIdx.x, tiles, n, pipe);
  for (int t = blockIdx.x; t < tiles; t += step) {
    fetch(tile[1 - slot], in, t + step, tiles, n, pipe);
    pipe.consumer_wait();

    const int first = t * tile_results;
    weigh(tile[slot], out + first, min(tile_results, n - first), weights);

    pipe.consumer_release();
    __syncthreads();
    slot = 1 - slot;
  }
}

}  // namespace

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  if (n > 0) filter_kernel<<<blocks, block>>>(in, out, weights, n);
}
