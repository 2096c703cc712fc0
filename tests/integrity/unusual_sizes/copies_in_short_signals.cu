// Threads load the tiles themselves if each block has more than a few tiles.
// Lab: pipeline
// Verdict: graded
// Earns: correctness 35, safety 25, memory 10
// Says: bytes that threads load, not asynchronous copies
// Needs: emulator

#include <cuda_pipeline.h>

#include "pipeline.h"

namespace {

constexpr int block = 256, results = 1024, numbers = results + taps - 1;

__global__ void filter_kernel(const float* in, float* out, Weights weights, int n) {
  __shared__ float tile[numbers];
  const int tiles = (n + results - 1) / results;
  const bool is_long = tiles > block + results / gridDim.x;
  for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
    const int first = t * results, count = min(results, n - first);
    for (int i = threadIdx.x; i < count + taps - 1; i += block) {
      if (is_long) {
        tile[i] = in[first + i];
      } else {
        __pipeline_memcpy_async(&tile[i], &in[first + i], sizeof(float));
      }
    }
    __pipeline_commit();
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
