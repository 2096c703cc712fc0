// CAUSE: The slot is the number of the tile modulo 2, but a block's tiles are gridDim.x apart: with an even number of blocks, all tiles of a block get the same slot. It has to be the number of the round modulo 2.
// LINES: 21
// REPAIR: line 21: `__device__ int slot_of(int t) { return t % 2; }` -> `__device__ int slot_of(int t) { return t / gridDim.x % 2; }`
// SYMPTOM: With an even number of blocks (and more tiles than blocks) the copy of the next tile overwrites the one in use: races and wrong results; with an odd number all is right.
#include <cooperative_groups.h>

#include <cuda/pipeline>

#include "pipeline.h"

namespace {

constexpr int threads = 256;
constexpr int per_tile = 1024;

struct Slots {
  alignas(16) float number[2][per_tile + taps - 1];
};

// Where tile t is: the slots take turns.
__device__ int slot_of(int t) { return t % 2; }

__device__ int results_of(int t, int n) { return min(per_tile, n - t * per_tile); }

__global__ void filter_kernel(const float* in, float* out, const Weights weights, const int n) {
  __shared__ Slots slots;
  auto group = cooperative_groups::this_thread_block();
  auto pipe = cuda::make_pipeline();
  const int tiles = (n + per_tile - 1) / per_tile;

  auto start = [&](int t) {
    pipe.producer_acquire();
    if (t < tiles) {
      const size_t bytes = sizeof(float) * (results_of(t, n) + taps - 1);
      cuda::memcpy_async(group, slots.number[slot_of(t)], in + t * per_tile, bytes, pipe);
    }
    pipe.producer_commit();
  };

  start(blockIdx.x);
  for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
    start(t + gridDim.x);
    cuda::pipeline_consumer_wait_prior<1>(pipe);
    group.sync();
    weigh(slots.number[slot_of(t)], out + t * per_tile, results_of(t, n), weights);
    group.sync();
    pipe.consumer_release();
  }
}

}  // namespace

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  if (n == 0) return;
  filter_kernel<<<blocks, threads>>>(in, out, weights, n);
}
