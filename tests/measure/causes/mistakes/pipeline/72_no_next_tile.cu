// CAUSE: The batch is committed only if there is a tile to copy. In a block's last step there is none, so the wait for all batches but the last does not wait for the tile that is used.
// LINES: 30 after 31
// REPAIR: move pipe.producer_commit(); behind the closing brace of the if
// SYMPTOM: The last tile of each block is used before its copy has arrived: a race, and possibly wrong results there.
#include <cooperative_groups.h>

#include <cuda/pipeline>

#include "pipeline.h"

namespace cg = cooperative_groups;

namespace {

using Pipeline = cuda::pipeline<cuda::thread_scope_thread>;

constexpr int block = 256;
constexpr int tile_results = 2048;
constexpr int numbers = tile_results + taps - 1;
constexpr int stages = 2;

__device__ void fetch(float* tile, const float* in, int t, int n, Pipeline& pipe) {
  const int first = t * tile_results;
  pipe.producer_acquire();
  if (first < n) {
    int results = n - first;
    if (results > tile_results) results = tile_results;
    cuda::memcpy_async(cg::this_thread_block(), tile, in + first,
                       sizeof(float) * (results + taps - 1), pipe);
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
  int turn = 0;
  for (int t = blockIdx.x; t < tiles; t += step) {
    const int slot = turn % stages;
    const int other = (turn + 1) % stages;
    ++turn;

    fetch(tile[other], in, t + step, n, pipe);
    cuda::pipeline_consumer_wait_prior<1>(pipe);
    __syncthreads();
    use(tile[slot], out, t, n, weights);
    pipe.consumer_release();
    __syncthreads();
  }
}

}  // namespace

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  if (n == 0) return;
  filter_kernel<<<blocks, block>>>(in, out, weights, n);
}
