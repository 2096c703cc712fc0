// CAUSE: The slot is chosen by the number of the tile. A block's tiles are gridDim.x apart, so with an even number of blocks they are all even or all odd, and the next tile goes into the slot that is in use.
// LINES: 45, 49, 54
// REPAIR: `blockIdx.x % stages` -> `0` (line 45); and `(t + step) % stages` -> `(t / step + 1) % stages` (line 49); and `t % stages` -> `t / step % stages` (line 54)
// GOOD HINT: With 4 blocks, which tiles does block 1 have, and which slot does each of them get? Count the steps of the block, not the tiles of the signal.
// SYMPTOM: Right with an odd number of blocks or with one tile per block; with an even number the next tile overwrites the one in use: race, wrong results in all tiles but the last of a block.
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
    cuda::memcpy_async(cg::this_thread_block(), tile, in + first, count * sizeof(float), pipe);
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

  fetch(tile[blockIdx.x % stages], in, blockIdx.x, n, pipe);

  for (int t = blockIdx.x; t < tiles; t += step) {
    // tiles take turns between the slots
    fetch(tile[(t + step) % stages], in, t + step, n, pipe);

    cuda::pipeline_consumer_wait_prior<1>(pipe);
    __syncthreads();

    use(tile[t % stages], out, t, n, weights);

    __syncthreads();
    pipe.consumer_release();
  }
}

}  // namespace

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  if (n == 0) return;
  filter_kernel<<<blocks, block>>>(in, out, weights, n);
}
