// CAUSE: two mistakes: memcpy_async is told the count of numbers, where it wants bytes; and no barrier stands between the use of the tile and the next copy into it
// LINES: 28, 44
// REPAIR: count * sizeof(float); __syncthreads() after weigh()
// GOOD HINT: In what does memcpy_async count? And when may the next tile overwrite this one?
// SYMPTOM: three quarters of the tile are never copied; a data race

#include <cooperative_groups.h>

#include <cuda/pipeline>

#include "pipeline.h"

namespace cg = cooperative_groups;

namespace {

using Pipeline = cuda::pipeline<cuda::thread_scope_thread>;

constexpr int block = 256;
constexpr int tile_results = 4 * block;
constexpr int needed = tile_results + taps - 1;

// Starts the copy of a tile: each thread of the block brings a part.
__device__ void fetch(float* tile, const float* in, int t, int n, Pipeline& pipe) {
  const int start = t * tile_results;
  if (start < n) {
    const int count = min(needed, n - start + taps - 1);
    cuda::memcpy_async(cg::this_thread_block(), tile, in + start, count, pipe);
  }
  pipe.producer_commit();
}

__global__ void filter_kernel(const float* in, float* out, Weights weights, int n) {
  __shared__ __align__(16) float tile[needed];
  Pipeline pipe = cuda::make_pipeline();
  const int tiles = (n + tile_results - 1) / tile_results;

  for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
    fetch(tile, in, t, n, pipe);
    pipe.consumer_wait();
    __syncthreads();

    const int start = t * tile_results;
    weigh(tile, out + start, min(tile_results, n - start), weights);

    pipe.consumer_release();
  }
}

}  // namespace

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  if (n > 0) {
    filter_kernel<<<blocks, block>>>(in, out, weights, n);
  }
}
