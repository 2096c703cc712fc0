// The synchronous tile: a block goes through the signal tile by tile. It loads a tile, waits, uses
// it, and waits again before the next one takes its place. This file is given: your kernel is
// compared with it.

#include "pipeline.h"

namespace {

constexpr int block = 256;                        // threads
constexpr int tile_results = 4 * block;           // that a tile yields
constexpr int numbers = tile_results + taps - 1;  // that they are made of

// Computes the results of tile t.
__device__ void use(const float* tile, float* out, int t, int n, const Weights& weights) {
  const int first = t * tile_results;
  weigh(tile, &out[first], min(tile_results, n - first), weights);
}

__global__ void __launch_bounds__(block)
    filter_kernel(const float* __restrict__ in, float* __restrict__ out, Weights weights, int n) {
  __shared__ __align__(16) float tile[numbers];
  const int tiles = (n + tile_results - 1) / tile_results;
  const int step = gridDim.x;

  for (int t = blockIdx.x; t < tiles; t += step) {
    const int first = t * tile_results;
    const int count = min(tile_results, n - first) + taps - 1;
    for (int i = threadIdx.x; i < count; i += block) tile[i] = in[first + i];
    __syncthreads();
    use(tile, out, t, n, weights);
    __syncthreads();
  }
}

}  // namespace

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  if (n > 0) filter_kernel<<<blocks, block>>>(in, out, weights, n);
}
