// CAUSE: The three slots take 49,536 bytes of dynamic shared memory, more than the 48 KiB (49,152 bytes) that a launch gets without asking. cudaFuncSetAttribute is missing before the launch.
// LINES: after 67
// REPAIR: insert `cudaFuncSetAttribute(filter_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes);` after line 67
// GOOD HINT: How many bytes of shared memory do your three slots take, and how many may a kernel have without further ado? What does cudaGetLastError() say after your launch?
// SYMPTOM: Every launch fails (invalid value) and nothing is written, on a GPU; an emulator without the limit may not see it.
#include <cooperative_groups.h>

#include <cuda/pipeline>

#include "pipeline.h"

namespace cg = cooperative_groups;

namespace {

using Pipeline = cuda::pipeline<cuda::thread_scope_thread>;

constexpr int block = 256;                        // threads
constexpr int tile_results = 16 * block;          // that a tile yields
constexpr int numbers = tile_results + taps - 1;  // that they are made of
constexpr int stages = 3;
constexpr int shared_bytes = stages * numbers * sizeof(float);

// Starts to copy tile t, if there is one, as one batch.
__device__ void fetch(float* tile, const float* in, int t, int n, Pipeline& pipe) {
  const int first = t * tile_results;
  pipe.producer_acquire();
  if (first < n) {
    const int count = min(tile_results, n - first) + taps - 1;
    cuda::memcpy_async(cg::this_thread_block(), tile, &in[first], sizeof(float) * count, pipe);
  }
  pipe.producer_commit();
}

// Computes the results of tile t.
__device__ void use(const float* tile, float* out, int t, int n, const Weights& weights) {
  const int first = t * tile_results;
  weigh(tile, &out[first], min(tile_results, n - first), weights);
}

__global__ void filter_kernel(const float* in, float* out, Weights weights, int n) {
  extern __shared__ __align__(16) float tile[];  // the slots, one behind the other
  Pipeline pipe = cuda::make_pipeline();
  const int tiles = (n + tile_results - 1) / tile_results;
  const int step = gridDim.x;

  for (int s = 0; s < stages - 1; ++s) {
    fetch(tile + s * numbers, in, blockIdx.x + s * step, n, pipe);
  }
  int slot = 0;
  for (int t = blockIdx.x; t < tiles; t += step) {
    const int free_slot = (slot + stages - 1) % stages;
    fetch(tile + free_slot * numbers, in, t + (stages - 1) * step, n, pipe);
    cuda::pipeline_consumer_wait_prior<stages - 1>(pipe);
    __syncthreads();

    use(tile + slot * numbers, out, t, n, weights);
    __syncthreads();
    pipe.consumer_release();
    slot = (slot + 1) % stages;
  }
}

}  // namespace

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  if (n == 0) return;
  filter_kernel<<<blocks, block, shared_bytes>>>(in, out, weights, n);
}
