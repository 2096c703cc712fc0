// CAUSE: With a single barrier per step, that barrier also tells that all threads are done with the tile before. The next copy goes into the slot of exactly that tile, but it is started before the barrier: other threads may still be reading there. It has to come after the barrier.
// LINES: 43 45
// REPAIR: line 43: delete `fetch(tile[current ^ 1], in, t + step, n, pipe);`; before line 45: add `fetch(tile[current ^ 1], in, t + step, n, pipe);`
// SYMPTOM: A data race: a copy writes into a slot that threads still use.

#include <cooperative_groups.h>

#include <cuda/pipeline>

#include "pipeline.h"

namespace {

constexpr int block = 256;
constexpr int results_per_tile = 2 * 4 * block;
constexpr int numbers = results_per_tile + taps - 1;
constexpr int stages = 2;

using Pipeline = cuda::pipeline<cuda::thread_scope_thread>;

__device__ void fetch(float (&tile)[numbers], const float* in, int t, int n, Pipeline& pipe) {
  const int first = t * results_per_tile;
  const int left = n - first;
  if (left > 0) {
    const int count = (left < results_per_tile ? left : results_per_tile) + taps - 1;
    cuda::memcpy_async(cooperative_groups::this_thread_block(), tile, in + first,
                       count * sizeof(float), pipe);
  }
  pipe.producer_commit();
}

// One barrier per tile: it stands for "this tile is complete" and "the last one is used up".
__global__ void filter_kernel(const float* in, float* out, Weights weights, int n) {
  __shared__ __align__(16) float tile[stages][numbers];
  Pipeline pipe = cuda::make_pipeline();
  const int step = gridDim.x;

  int current = 0;
  fetch(tile[current], in, blockIdx.x, n, pipe);

  for (int t = blockIdx.x; t * results_per_tile < n; t += step) {
    cuda::pipeline_consumer_wait_prior<0>(pipe);
    fetch(tile[current ^ 1], in, t + step, n, pipe);
    __syncthreads();

    const int first = t * results_per_tile;
    weigh(tile[current], out + first, min(results_per_tile, n - first), weights);
    current ^= 1;
  }
}

}  // namespace

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  if (n <= 0) return;
  filter_kernel<<<blocks, block>>>(in, out, weights, n);
}
