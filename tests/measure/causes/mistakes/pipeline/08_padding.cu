// CAUSE: A slot is one number longer than needed ("padding"), 1,057 floats or 4,228 bytes. That is no multiple of 16 bytes, so the second slot is not aligned as weigh() needs it for its float4.
// LINES: 20
// REPAIR: `tile_results + taps;` -> `tile_results + taps - 1;` (line 20)
// GOOD HINT: At which byte does tile[1] begin, and what does weigh() ask of the tile's address? Does anything in this lab need padding?
// SYMPTOM: Crash (misaligned address) as soon as a block uses its second tile; right if every block has one tile at most.
#include <cooperative_groups.h>

#include <cuda/pipeline>

#include "pipeline.h"

namespace cg = cooperative_groups;

namespace {

using Pipeline = cuda::pipeline<cuda::thread_scope_thread>;

constexpr int block = 256;                    // threads
constexpr int tile_results = 4 * block;       // that a tile yields
constexpr int numbers = tile_results + taps;  // one more than needed: no bank conflicts
constexpr int stages = 2;

// Starts to copy tile t, if there is one, as one batch.
__device__ void fetch(float* tile, const float* in, int t, int n, Pipeline& pipe) {
  const int first = t * tile_results;
  pipe.producer_acquire();
  if (first < n) {
    const int results = min(tile_results, n - first);
    const int count = results + taps - 1;
    cuda::memcpy_async(cg::this_thread_block(), tile, &in[first], sizeof(float) * count, pipe);
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

  int s = 0;
  fetch(tile[s], in, blockIdx.x, n, pipe);
  for (int t = blockIdx.x; t < tiles; t += step) {
    fetch(tile[(s + 1) % stages], in, t + step, n, pipe);
    cuda::pipeline_consumer_wait_prior<stages - 1>(pipe);
    __syncthreads();

    use(tile[s], out, t, n, weights);
    __syncthreads();
    pipe.consumer_release();
    s = (s + 1) % stages;
  }
}

}  // namespace

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  if (n > 0) filter_kernel<<<blocks, block>>>(in, out, weights, n);
}
