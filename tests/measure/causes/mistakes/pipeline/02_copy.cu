// CAUSE: memcpy_async is called without the group. So it is not the block that copies the tile together: each of the 256 threads copies the whole tile.
// LINES: 33
// REPAIR: `memcpy_async(tile` -> `memcpy_async(cg::this_thread_block(), tile` (line 33)
// GOOD HINT: Who makes the copy in your call, and how does memcpy_async know that the other threads should do their part of it? How many bytes does the block copy in all?
// SYMPTOM: Results right (all write the same values), but each number is loaded 256 times per tile; very slow, and the emulator may report that threads write to the same slots.
// Lab `pipeline`

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

// Starts to copy tile t, if there is one, as one batch.
__device__ void fetch(float* tile, const float* in, int t, int n, Pipeline& pipe) {
  const int first = t * tile_results;
  pipe.producer_acquire();
  if (first < n) {
    int results = n - first;
    if (results > tile_results) results = tile_results;
    const size_t bytes = (results + taps - 1) * sizeof(float);
    cuda::memcpy_async(tile, in + first, bytes, pipe);
  }
  pipe.producer_commit();
}

// Computes the results of tile t.
__device__ void use(const float* tile, float* out, int t, int n, const Weights& weights) {
  const int first = t * tile_results;
  weigh(tile, &out[first], min(tile_results, n - first), weights);
}

__global__ void filter_kernel(const float* in, float* out, Weights weights, int n) {
  __shared__ __align__(16) float tile[stages][numbers];
  Pipeline pipe = cuda::make_pipeline();
  const int tiles = (n + tile_results - 1) / tile_results;
  const int step = gridDim.x;

  int now = 0, next = 1;
  fetch(tile[now], in, blockIdx.x, n, pipe);
  for (int t = blockIdx.x; t < tiles; t += step) {
    fetch(tile[next], in, t + step, n, pipe);
    cuda::pipeline_consumer_wait_prior<1>(pipe);
    __syncthreads();

    use(tile[now], out, t, n, weights);
    __syncthreads();
    pipe.consumer_release();

    next = now;
    now = 1 - now;
  }
}

}  // namespace

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  if (n == 0) return;
  filter_kernel<<<blocks, block>>>(in, out, weights, n);
}
