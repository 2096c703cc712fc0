// CAUSE: The slot is computed from the tile's number, but a block's tiles are gridDim.x apart: with an even gridDim.x its next tiles share slots with the one in use.
// LINES: 22
// REPAIR: line 22: `return t % slots;` -> `return t / int(gridDim.x) % slots;`
// SYMPTOM: With one block, or an odd number of them, it is right; with an even number, copies overwrite tiles that are still to be used, and results are wrong or a race is reported.
#include <cooperative_groups.h>

#include <cuda/pipeline>

#include "pipeline.h"

namespace {

using Pipe = cuda::pipeline<cuda::thread_scope_thread>;

constexpr int threads = 256;
constexpr int results = 4 * threads;
constexpr int length = results + taps - 1;
constexpr int slots = 4;

// In which slot tile t is.
__device__ int slot_of(int t) {
  return t % slots;
}

__device__ void start_copy(float (*ring)[length], const float* in, int t, int n, Pipe& pipe) {
  const int first = t * results;
  if (first < n) {
    const int count = min(results, n - first) + taps - 1;
    float* to = ring[slot_of(t)];
    for (int i = threadIdx.x; i < count; i += threads) {
      cuda::memcpy_async(&to[i], &in[first + i], sizeof(float), pipe);
    }
  }
  pipe.producer_commit();
}

__global__ void filter_kernel(const float* in, float* out, Weights weights, int n) {
  __shared__ __align__(16) float ring[slots][length];
  Pipe pipe = cuda::make_pipeline();
  const int tiles = (n + results - 1) / results;
  const int step = gridDim.x;

  for (int s = 0; s < slots - 1; ++s) start_copy(ring, in, blockIdx.x + s * step, n, pipe);

  for (int t = blockIdx.x; t < tiles; t += step) {
    start_copy(ring, in, t + (slots - 1) * step, n, pipe);
    cuda::pipeline_consumer_wait_prior<slots - 1>(pipe);
    __syncthreads();
    weigh(ring[slot_of(t)], &out[t * results], min(results, n - t * results), weights);
    __syncthreads();
  }
}

}  // namespace

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  if (n == 0) return;
  filter_kernel<<<blocks, threads>>>(in, out, weights, n);
}
