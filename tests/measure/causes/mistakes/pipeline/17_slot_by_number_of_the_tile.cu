// CAUSE: the slot is chosen by whether the number of the tile is even; but a block's next tile is gridDim.x further on, so for an even grid it goes into the slot that is in use
// LINES: 42, 49
// REPAIR: count the tiles of the block, or switch between the slots in turn
// GOOD HINT: With 4 blocks, which tiles does block 0 have, and which slot does each of them get?
// SYMPTOM: a data race for an even number of blocks; right for odd ones

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
  __shared__ __align__(16) float slots[2][NUMBERS];
  Pipe pipe = cuda::make_pipeline();
  const int tiles = (n + RESULTS - 1) / RESULTS;
  const int step = gridDim.x;
  fetch(slots[blockIdx.x % 2], in, blockIdx.x, n, pipe);
  for (int t = blockIdx.x; t < tiles; t += step) {
    if (t + step < tiles) {
      fetch(slots[(t + step) % 2], in, t + step, n, pipe);
    } else {
      pipe.producer_commit();
    }
    cuda::pipeline_consumer_wait_prior<1>(pipe);
    __syncthreads();
    const int first = t * RESULTS;
    weigh(slots[t % 2], &out[first], min(RESULTS, n - first), weights);
    __syncthreads();
    pipe.consumer_release();
  }
}

}  // namespace

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  if (n > 0) filter_kernel<<<blocks, THREADS>>>(in, out, weights, n);
}
