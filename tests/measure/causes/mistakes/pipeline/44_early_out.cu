// CAUSE: fetch() returns before the commit if there is no next tile. The wait is for all batches but the last, so in a block's last step it does not wait for the tile that is about to be used.
// LINES: 23
// REPAIR: line 23: `if (first >= n) return;` -> `if (first >= n) return pipe.producer_commit();`
// SYMPTOM: Every block reads its last tile while it may still be in flight: reported as a read of a copy not waited for; on a GPU the last tiles are now and then wrong.
#include <cooperative_groups.h>

#include <cuda/pipeline>

#include "pipeline.h"

namespace cg = cooperative_groups;

namespace {

using Pipeline = cuda::pipeline<cuda::thread_scope_thread>;

constexpr int block = 256;
constexpr int tile_results = 1024;
constexpr int numbers = tile_results + taps - 1;

__device__ void fetch(float* tile, const float* in, int t, int n, Pipeline& pipe) {
  const int first = t * tile_results;
  if (first >= n) return;

  const int count = min(tile_results, n - first) + taps - 1;
  cuda::memcpy_async(cg::this_thread_block(), tile, &in[first], count * sizeof(float), pipe);
  pipe.producer_commit();
}

__global__ void filter_kernel(const float* in, float* out, Weights weights, int n) {
  __shared__ __align__(16) float even[numbers], odd[numbers];
  Pipeline pipe = cuda::make_pipeline();
  const int step = gridDim.x;
  float *current = even, *other = odd;

  fetch(current, in, blockIdx.x, n, pipe);
  for (int t = blockIdx.x; t * tile_results < n; t += step) {
    fetch(other, in, t + step, n, pipe);
    cuda::pipeline_consumer_wait_prior<1>(pipe);
    __syncthreads();

    const int first = t * tile_results;
    weigh(current, &out[first], min(tile_results, n - first), weights);
    __syncthreads();

    float* swap = current;
    current = other;
    other = swap;
  }
}

}  // namespace

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  if (n > 0) filter_kernel<<<blocks, block>>>(in, out, weights, n);
}
