// CAUSE: slot s begins at s * tile_results, but a slot holds 32 numbers more than that, so the last 32 of one slot are the first 32 of the next
// LINES: 22
// REPAIR: buffer + s * slot_size
// GOOD HINT: Where does slot 0 end, and where does slot 1 begin?
// SYMPTOM: the checker reports that a copy writes what is still used; the last results of a tile may be wrong

#include <cooperative_groups.h>

#include <cuda/pipeline>

#include "pipeline.h"

namespace {

constexpr int block = 256;
constexpr int tile_results = 1024;
constexpr int slot_size = tile_results + taps - 1;
constexpr int slots = 3;

using Pipeline = cuda::pipeline<cuda::thread_scope_thread>;

__device__ float* slot(float* buffer, int s) { return buffer + s * tile_results; }

__global__ void filter_kernel(const float* in, float* out, Weights weights, int n) {
  __shared__ __align__(16) float buffer[slots * slot_size];
  Pipeline pipe = cuda::make_pipeline();
  const int tiles = (n + tile_results - 1) / tile_results;

  const auto begin_copy = [&](int t, int s) {
    pipe.producer_acquire();
    if (t < tiles) {
      const int count = min(tile_results, n - t * tile_results) + taps - 1;
      cuda::memcpy_async(cooperative_groups::this_thread_block(), slot(buffer, s),
                         in + t * tile_results, sizeof(float) * count, pipe);
    }
    pipe.producer_commit();
  };

  for (int s = 0; s < slots - 1; ++s) begin_copy(blockIdx.x + s * gridDim.x, s);

  int s = 0;
  for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
    begin_copy(t + (slots - 1) * gridDim.x, (s + slots - 1) % slots);
    cuda::pipeline_consumer_wait_prior<slots - 1>(pipe);
    __syncthreads();
    weigh(slot(buffer, s), out + t * tile_results, min(tile_results, n - t * tile_results), weights);
    pipe.consumer_release();
    __syncthreads();
    s = (s + 1) % slots;
  }
}

}  // namespace

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  if (n > 0) filter_kernel<<<blocks, block>>>(in, out, weights, n);
}
