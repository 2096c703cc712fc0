// CAUSE: At the end of the signal n results need n + 32 numbers, but the number of numbers to copy is cut off at n.
// LINES: 30
// REPAIR: min(numbers, n + taps - 1 - first(t))
// SYMPTOM: The last 32 results use slots of the tile that were not filled: unwritten shared memory is read, or numbers of an earlier tile are used.

#include <cooperative_groups.h>

#include <cuda/pipeline>

#include "pipeline.h"

namespace cg = cooperative_groups;

namespace {

using Pipeline = cuda::pipeline<cuda::thread_scope_thread>;

constexpr int block = 256;
constexpr int tile_results = 8 * block;
constexpr int numbers = tile_results + taps - 1;

struct Tiles {
  const float* in;
  int n;

  __device__ int first(int t) const { return t * tile_results; }

  __device__ void fetch(float* slot, int t, Pipeline& pipe) const {
    if (first(t) < n) {
      const int count = min(numbers, n - first(t));
      const auto group = cg::this_thread_block();
      cuda::memcpy_async(group, slot, in + first(t), count * sizeof(float), pipe);
    }
    pipe.producer_commit();
  }
};

__global__ void filter_kernel(const float* in, float* out, Weights weights, int n) {
  __shared__ __align__(16) float even[numbers];
  __shared__ __align__(16) float odd[numbers];
  Pipeline pipe = cuda::make_pipeline();
  const Tiles all = {in, n};
  const int step = gridDim.x;

  float* now = even;
  float* next = odd;
  all.fetch(now, blockIdx.x, pipe);
  for (int t = blockIdx.x; all.first(t) < n; t += step) {
    all.fetch(next, t + step, pipe);
    cuda::pipeline_consumer_wait_prior<1>(pipe);
    __syncthreads();

    weigh(now, out + all.first(t), min(tile_results, n - all.first(t)), weights);
    __syncthreads();

    float* const used = now;
    now = next;
    next = used;
  }
}

}  // namespace

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  if (n > 0) filter_kernel<<<blocks, block>>>(in, out, weights, n);
}
