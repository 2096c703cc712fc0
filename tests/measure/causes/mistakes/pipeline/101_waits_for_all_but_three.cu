// CAUSE: With three slots two batches may stay in flight. The wait leaves three, so the tile that comes next may not have arrived.
// LINES: 47
// REPAIR: line 47: `cuda::pipeline_consumer_wait_prior<slots>(pipe);` -> `cuda::pipeline_consumer_wait_prior<slots - 1>(pipe);`
// SYMPTOM: A data race between the copy and the use of a tile.

#include <cooperative_groups.h>

#include <cuda/pipeline>

#include "pipeline.h"

namespace {

using Pipe = cuda::pipeline<cuda::thread_scope_thread>;

constexpr int threads = 256;
constexpr int results = 2048;
constexpr int length = results + taps - 1;
constexpr int slots = 3;

struct Signal {
  const float* in;
  int n;

  __device__ void fetch(float* to, int t, Pipe& pipe) const {
    const int first = t * results;
    if (first < n) {
      const int count = min(length, n + taps - 1 - first);
      for (int i = threadIdx.x; i < count; i += blockDim.x) {
        cuda::memcpy_async(to + i, in + first + i, sizeof(float), pipe);
      }
    }
    pipe.producer_commit();
  }
};

__global__ void filter_kernel(Signal signal, float* out, Weights weights) {
  __shared__ __align__(16) float tiles[slots][length];
  Pipe pipe = cuda::make_pipeline();
  const int step = gridDim.x;
  int t = blockIdx.x;
  for (int s = 0; s < slots - 1; ++s) signal.fetch(tiles[s], t + s * step, pipe);

  for (int turn = 0; t * results < signal.n; ++turn, t += step) {
    const int ahead = slots - 1;
    signal.fetch(tiles[(turn + ahead) % slots], t + ahead * step, pipe);
    cuda::pipeline_consumer_wait_prior<slots>(pipe);
    __syncthreads();
    const int first = t * results;
    weigh(tiles[turn % slots], out + first, min(results, signal.n - first), weights);
    __syncthreads();
  }
}

}  // namespace

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  if (n == 0) return;
  const int tiles = (n - 1) / results + 1;
  filter_kernel<<<min(tiles, blocks), threads>>>(Signal{in, n}, out, weights);
}
