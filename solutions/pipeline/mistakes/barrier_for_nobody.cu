// Nobody initializes the barriers.
// Test: filter is right for whole tiles
// Says: that no thread of the block has initialized
// Task: 2 or 3

#include <cooperative_groups.h>

#include <cuda/barrier>

#include "pipeline.h"

namespace cg = cooperative_groups;

// What is in shared memory has no constructor: init() takes its place.
#pragma nv_diag_suppress static_var_with_dynamic_init

namespace {

using Barrier = cuda::barrier<cuda::thread_scope_block>;

constexpr int block = 256;                        // threads
constexpr int tile_results = 4 * block;           // that a tile yields
constexpr int numbers = tile_results + taps - 1;  // that they are made of
constexpr int stages = 2;

// Starts to copy tile t, if there is one, and lets the
// phase of its barrier wait for the copy.
__device__ void fetch(float* tile, const float* in, int t, int n, Barrier& full) {
  const int first = t * tile_results;
  if (first < n) {
    const int count = min(tile_results, n - first) + taps - 1;
    const int whole = count / 4 * 4;  // the rest, at most three numbers, ends the signal
    const auto group = cg::this_thread_block();
    cuda::memcpy_async(group, tile, &in[first], cuda::aligned_size_t<16>(sizeof(float) * whole),
                       full);
    cuda::memcpy_async(group, &tile[whole], &in[first + whole], sizeof(float) * (count - whole),
                       full);
  }
}

// Computes the results of tile t.
__device__ void use(const float* tile, float* out, int t, int n, const Weights& weights) {
  const int first = t * tile_results;
  weigh(tile, &out[first], min(tile_results, n - first), weights);
}

__global__ void __launch_bounds__(block)
    filter_kernel(const float* __restrict__ in, float* __restrict__ out, Weights weights, int n) {
  __shared__ __align__(16) float tile[stages][numbers];
  __shared__ Barrier full[stages];
  const int tiles = (n + tile_results - 1) / tile_results;
  const int step = gridDim.x;

  fetch(tile[0], in, blockIdx.x, n, full[0]);
  int slot = 0;
  for (int t = blockIdx.x; t < tiles; t += step) {
    fetch(tile[1 - slot], in, t + step, n, full[1 - slot]);
    full[slot].arrive_and_wait();
    use(tile[slot], out, t, n, weights);
    __syncthreads();
    slot = 1 - slot;
  }
}

}  // namespace

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  if (n > 0) filter_kernel<<<blocks, block>>>(in, out, weights, n);
}
