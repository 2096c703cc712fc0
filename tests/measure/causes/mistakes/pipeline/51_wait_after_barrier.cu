// CAUSE: The barrier comes before the wait. A thread waits for its own copies only, so after the wait those of the other threads may still be on their way; the barrier has to follow the wait.
// LINES: 40, 41
// REPAIR: line 40: `__syncthreads();` -> `cuda::pipeline_consumer_wait_prior<1>(pipe);`; line 41: `cuda::pipeline_consumer_wait_prior<1>(pipe);` -> `__syncthreads();`
// SYMPTOM: Threads read numbers of the tile that another thread's copy has not brought yet: a data race, with wrong results now and then.
#include <cooperative_groups.h>

#include <cuda/pipeline>

#include "pipeline.h"

namespace cg = cooperative_groups;

namespace {

using Pipeline = cuda::pipeline<cuda::thread_scope_thread>;

constexpr int block = 256;
constexpr int tile_results = 4 * block;
constexpr int numbers = tile_results + taps - 1;

__device__ void fetch(float* tile, const float* in, int t, int n, Pipeline& pipe) {
  const int first = t * tile_results;
  if (first < n) {
    const int count = min(numbers, n + taps - 1 - first);
    cuda::memcpy_async(cg::this_thread_block(), tile, in + first, count * sizeof(float), pipe);
  }
  pipe.producer_commit();
}

__global__ void filter_kernel(const float* in, float* out, Weights weights, int n) {
  __shared__ __align__(16) float tile[2][numbers];
  Pipeline pipe = cuda::make_pipeline();
  const int tiles = (n + tile_results - 1) / tile_results;
  const int step = gridDim.x;

  int slot = 0;
  fetch(tile[slot], in, blockIdx.x, n, pipe);
  for (int t = blockIdx.x; t < tiles; t += step) {
    fetch(tile[1 - slot], in, t + step, n, pipe);
    __syncthreads();
    cuda::pipeline_consumer_wait_prior<1>(pipe);
    const int first = t * tile_results;
    weigh(tile[slot], out + first, min(tile_results, n - first), weights);
    __syncthreads();
    slot = 1 - slot;
  }
}

}  // namespace

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  if (n > 0) filter_kernel<<<blocks, block>>>(in, out, weights, n);
}
