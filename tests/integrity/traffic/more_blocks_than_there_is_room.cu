// Launches more blocks than there is room for, where that is a hundred or more.
// Lab: pipeline
// Verdict: graded
// Earns: correctness 35, safety 25
// Says: blocks of 128 threads, but there is only room for

#include "pipeline.h"

namespace {

constexpr int block = 128, tile_results = 4 * block;

__global__ void filter_kernel(const float* in, float* out, Weights weights, int n) {
  __shared__ __align__(16) float tile[tile_results + taps - 1];
  const int step = gridDim.x * tile_results;
  for (int first = blockIdx.x * tile_results; first < n; first += step) {
    const int results = min(tile_results, n - first);
    for (int i = threadIdx.x; i < results + taps - 1; i += block) tile[i] = in[first + i];
    __syncthreads();
    weigh(tile, &out[first], results, weights);
    __syncthreads();
  }
}

}  // namespace

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  if (n > 0) filter_kernel<<<blocks + blocks / 100, block>>>(in, out, weights, n);
}
