// CAUSE: With three slots the tile after the next one is fetched into the next slot, which still holds the next tile; it belongs into the slot after that.
// LINES: 45
// REPAIR: (slot + 2) % stages
// SYMPTOM: Tiles overwrite each other: from a block's second tile on the results are wrong, two copies write the same slot, and a slot is read that nobody filled.

#include <cuda/pipeline>

#include "pipeline.h"

namespace {

using Pipeline = cuda::pipeline<cuda::thread_scope_thread>;

constexpr int threads = 256;
constexpr int results = 1024;                // of a tile
constexpr int numbers = results + taps - 1;  // a multiple of 4
constexpr int stages = 3;

// Copies 16 bytes at a time, and the last three numbers at most one by one.
__device__ void fetch(float* slot, const float* in, int t, int n, Pipeline& pipe) {
  const int first = t * results;
  if (first < n) {
    const int count = min(results, n - first) + taps - 1;
    const int fours = count / 4;
    for (int q = threadIdx.x; q < fours; q += threads) {
      cuda::memcpy_async(&slot[4 * q], &in[first + 4 * q], cuda::aligned_size_t<16>(16), pipe);
    }
    const int last = 4 * fours + threadIdx.x;
    if (last < count) cuda::memcpy_async(&slot[last], &in[first + last], sizeof(float), pipe);
  }
  pipe.producer_commit();
}

__global__ void __launch_bounds__(threads)
    filter_kernel(const float* in, float* out, Weights weights, int n) {
  __shared__ __align__(16) float ring[stages][numbers];
  Pipeline pipe = cuda::make_pipeline();
  const int tiles = (n + results - 1) / results;
  const int stride = gridDim.x;

  int slot = 0;
  fetch(ring[0], in, blockIdx.x, n, pipe);
  fetch(ring[1], in, blockIdx.x + stride, n, pipe);
  for (int t = blockIdx.x; t < tiles; t += stride) {
    fetch(ring[(slot + 1) % stages], in, t + 2 * stride, n, pipe);
    cuda::pipeline_consumer_wait_prior<2>(pipe);
    __syncthreads();

    const int first = t * results;
    weigh(ring[slot], &out[first], min(results, n - first), weights);
    __syncthreads();
    slot = (slot + 1) % stages;
  }
}

}  // namespace

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  if (n == 0) return;
  filter_kernel<<<blocks, threads>>>(in, out, weights, n);
}
