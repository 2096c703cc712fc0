// No tile at all: the threads use the numbers from global memory, each of them nine times.
// Test: filter loads each number about once, with few threads
// Says: 9.00 global loads per element
// Task: 2

#include "pipeline.h"

namespace {

constexpr int block = 256;                        // threads
constexpr int tile_results = 4 * block;           // that a tile yields
constexpr int numbers = tile_results + taps - 1;  // that they are made of

__global__ void __launch_bounds__(block)
    filter_kernel(const float* __restrict__ in, float* __restrict__ out, Weights weights, int n) {
  const int tiles = (n + tile_results - 1) / tile_results;
  const int step = gridDim.x;

  for (int t = blockIdx.x; t < tiles; t += step) {
    const int first = t * tile_results;
    weigh(&in[first], &out[first], min(tile_results, n - first), weights);
  }
}

}  // namespace

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  if (n > 0) filter_kernel<<<blocks, block>>>(in, out, weights, n);
}
