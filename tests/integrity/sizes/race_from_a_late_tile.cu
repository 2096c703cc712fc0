// From a block's 40th tile on, a thread reads the tile before its copies have arrived.
// Lab: pipeline
// Verdict: graded
// Earns: correctness 35, safety 12.5, memory 20
// Says: Data race
// Says: blocks = 1

#include <cuda_pipeline.h>

#include "pipeline.h"

namespace {

constexpr int block = 256, results = 1024, numbers = results + taps - 1;

__global__ void filter_kernel(const float* in, float* out, Weights weights, int n) {
  __shared__ float tile[numbers];
  const int tiles = (n + results - 1) / results;
  int round = 0;
  for (int t = blockIdx.x; t < tiles; t += gridDim.x, ++round) {
    const int first = t * results, count = min(results, n - first);
    for (int i = threadIdx.x; i < count + taps - 1; i += block) {
      __pipeline_memcpy_async(&tile[i], &in[first + i], sizeof(float));
    }
    __pipeline_commit();
    if (round >= 40) {
      const float early = *static_cast<volatile float*>(&tile[threadIdx.x % count]);
      (void)early;
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    weigh(tile, &out[first], count, weights);
    __syncthreads();
  }
}

}  // namespace

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  if (n > 0) filter_kernel<<<blocks, block>>>(in, out, weights, n);
}
