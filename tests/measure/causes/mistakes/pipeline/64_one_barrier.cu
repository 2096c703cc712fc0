// CAUSE: The loop has only the barrier after the wait. A fast thread starts the next round and copies into the slot that slower threads still use.
// LINES: after 42
// REPAIR: insert __syncthreads();
// SYMPTOM: Data race between the copy of a tile and the use of the one two before it, when a block has at least three tiles; usually right on a GPU.

#include <cuda/pipeline>

#include "pipeline.h"

namespace {

using Pipeline = cuda::pipeline<cuda::thread_scope_thread>;

constexpr int block = 256;
constexpr int tile_results = 4 * block;
constexpr int numbers = tile_results + taps - 1;

__device__ void start_copy(float* tile, const float* in, int t, int n, Pipeline& pipe) {
  const int first = t * tile_results;
  const int here = min(tile_results, n - first);  // not positive after the last tile
  if (here > 0) {
    for (int i = threadIdx.x; i < here + taps - 1; i += block) {
      cuda::memcpy_async(&tile[i], &in[first + i], sizeof(float), pipe);
    }
  }
  pipe.producer_commit();
}

__global__ void filter_kernel(const float* in, float* out, Weights weights, int n) {
  __shared__ __align__(16) float tile[2][numbers];
  Pipeline pipe = cuda::make_pipeline();
  const int tiles = (n + tile_results - 1) / tile_results;
  const int step = gridDim.x;

  start_copy(tile[0], in, blockIdx.x, n, pipe);
  int round = 0;
  for (int t = blockIdx.x; t < tiles; t += step, ++round) {
    start_copy(tile[(round + 1) % 2], in, t + step, n, pipe);
    cuda::pipeline_consumer_wait_prior<1>(pipe);
    __syncthreads();
    const int first = t * tile_results;
    weigh(tile[round % 2], &out[first], min(tile_results, n - first), weights);
  }
}

}  // namespace

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  if (n > 0) filter_kernel<<<blocks, block>>>(in, out, weights, n);
}
