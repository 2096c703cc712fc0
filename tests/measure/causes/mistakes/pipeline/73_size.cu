// CAUSE: memcpy_async is given the number of floats, but it takes the number of bytes, so only a quarter of each tile is copied.
// LINES: 29
// REPAIR: cuda::memcpy_async(group, slot, in + begin, amount * sizeof(float), pipe);
// SYMPTOM: Three quarters of each tile are never filled (uninitialized reads), and most results are wrong.
#include <cooperative_groups.h>

#include <cuda/pipeline>

#include "pipeline.h"

namespace cg = cooperative_groups;

namespace {

using Pipeline = cuda::pipeline<cuda::thread_scope_thread>;

constexpr int threads = 256;
constexpr int tile_results = 4 * threads;
constexpr int halo = taps - 1;

__device__ int results_of(int t, int n) { return min(tile_results, n - t * tile_results); }

__device__ void fetch(float* slot, const float* in, int t, int n, Pipeline& pipe) {
  pipe.producer_acquire();
  const int begin = t * tile_results;
  if (begin < n) {
    const auto group = cg::this_thread_block();
    const int amount = results_of(t, n) + halo;
    cuda::memcpy_async(group, slot, in + begin, amount, pipe);
  }
  pipe.producer_commit();
}

__global__ void filter_kernel(const float* in, float* out, Weights weights, int n) {
  __shared__ __align__(16) float even[tile_results + halo];
  __shared__ __align__(16) float odd[tile_results + halo];
  Pipeline pipe = cuda::make_pipeline();
  const int tiles = (n + tile_results - 1) / tile_results;

  float* current = even;
  float* next = odd;
  int t = blockIdx.x;
  fetch(current, in, t, n, pipe);
  while (t < tiles) {
    const int t_next = t + gridDim.x;
    fetch(next, in, t_next, n, pipe);

    cuda::pipeline_consumer_wait_prior<1>(pipe);
    __syncthreads();
    weigh(current, out + t * tile_results, results_of(t, n), weights);
    pipe.consumer_release();
    __syncthreads();

    float* swap = current;
    current = next;
    next = swap;
    t = t_next;
  }
}

}  // namespace

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  if (n > 0) filter_kernel<<<blocks, threads>>>(in, out, weights, n);
}
