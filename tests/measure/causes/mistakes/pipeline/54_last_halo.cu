// CAUSE: The last tile needs 32 more numbers than it has results, as any other, but their number is cut to n - first, without these 32. And the barrier after the use of a tile is missing, so a copy may overwrite a slot that others still read.
// LINES: 27, 50
// REPAIR: line 27: `const int count = min(numbers, n - first);` -> `const int count = min(numbers, n - first + taps - 1);`; line 50: `weigh(current, &out[first], min(tile_results, n - first), weights);` -> `weigh(current, &out[first], min(tile_results, n - first), weights); __syncthreads();`
// SYMPTOM: The last results (up to 32 of the last tile, sometimes of the one before) are made of numbers that were not copied, and a data race between the copies of the next but one tile and the threads that still use a tile.
#include <cooperative_groups.h>

#include <cuda/pipeline>

#include "pipeline.h"

namespace cg = cooperative_groups;

namespace {

constexpr int block = 256;
constexpr int tile_results = 2048;
constexpr int numbers = tile_results + taps - 1;
constexpr int stages = 2;
constexpr int shared_bytes = stages * numbers * sizeof(float);

using Pipe = cuda::pipeline<cuda::thread_scope_thread>;

__device__ void fetch(float* slot, const float* in, int t, int n, Pipe& pipe) {
  const int first = t * tile_results;
  if (first < n) {
    const auto group = cg::this_thread_block();
    const int count = min(numbers, n - first);
    if (count == numbers) {
      const cuda::aligned_size_t<16> bytes(numbers * sizeof(float));
      cuda::memcpy_async(group, slot, &in[first], bytes, pipe);
    } else {
      cuda::memcpy_async(group, slot, &in[first], count * sizeof(float), pipe);
    }
  }
  pipe.producer_commit();
}

__global__ void filter_kernel(const float* in, float* out, Weights weights, int n) {
  extern __shared__ __align__(16) float slots[];
  Pipe pipe = cuda::make_pipeline();
  float* current = slots;
  float* next = slots + numbers;

  fetch(current, in, blockIdx.x, n, pipe);
  for (int t = blockIdx.x; t * tile_results < n; t += gridDim.x) {
    fetch(next, in, t + gridDim.x, n, pipe);
    cuda::pipeline_consumer_wait_prior<1>(pipe);
    __syncthreads();
    const int first = t * tile_results;
    weigh(current, &out[first], min(tile_results, n - first), weights);
    float* const swap = current;
    current = next;
    next = swap;
  }
}

}  // namespace

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  if (n == 0) return;
  filter_kernel<<<blocks, block, shared_bytes>>>(in, out, weights, n);
}
