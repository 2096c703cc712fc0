// CAUSE: in the last step nothing is committed, so all but the last batch are those before the tile that is about to be used: nobody waits for it
// LINES: 44
// REPAIR: commit an empty batch if there is no next tile
// GOOD HINT: In the last step, which batch is the last one that you committed?
// SYMPTOM: the last tile of a block is used before it has arrived

#include <cooperative_groups.h>

#include <cuda/pipeline>

#include "pipeline.h"

namespace cg = cooperative_groups;

namespace {

using Pipe = cuda::pipeline<cuda::thread_scope_thread>;

constexpr int THREADS = 256;
constexpr int RESULTS = 4 * THREADS;
constexpr int NUMBERS = RESULTS + taps - 1;

__device__ void fetch(float* slot, const float* in, int t, int n, Pipe& pipe) {
  const int first = t * RESULTS;
  if (first < n) {
    const int count = min(NUMBERS, n + taps - 1 - first);
    for (int k = threadIdx.x; k < count; k += THREADS) {
      cuda::memcpy_async(&slot[k], &in[first + k], sizeof(float), pipe);
    }
  }
  pipe.producer_commit();
}

__global__ void filter_kernel(const float* in, float* out, Weights weights, int n) {
  __shared__ __align__(16) float stage[2][NUMBERS];
  Pipe pipe = cuda::make_pipeline();
  const int tiles = (n + RESULTS - 1) / RESULTS;
  const int stride = gridDim.x;
  int current = 0;
  fetch(stage[current], in, blockIdx.x, n, pipe);
  for (int t = blockIdx.x; t < tiles; t += stride) {
    if (t + stride < tiles) {
      fetch(stage[1 - current], in, t + stride, n, pipe);
    }
    cuda::pipeline_consumer_wait_prior<1>(pipe);
    __syncthreads();
    const int first = t * RESULTS;
    weigh(stage[current], &out[first], min(RESULTS, n - first), weights);
    __syncthreads();
    pipe.consumer_release();
    current = 1 - current;
  }
}

}  // namespace

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  if (n > 0) filter_kernel<<<blocks, THREADS>>>(in, out, weights, n);
}
