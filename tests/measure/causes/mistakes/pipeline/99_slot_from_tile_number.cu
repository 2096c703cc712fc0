// CAUSE: The slot of a tile is its number mod 3, but a block has only every gridDim.x-th tile: if gridDim.x is a multiple of 3, all of its tiles get the same slot. The number of the block's own steps counts, t / gridDim.x.
// LINES: 23
// REPAIR: line 23: `return t % slots;` -> `return t / gridDim.x % slots;`
// SYMPTOM: With 3, 132 or any other multiple of 3 blocks, copies of later tiles overwrite the tile in use: wrong results. Other numbers of blocks work.

#include <cuda/pipeline>

#include "pipeline.h"

// Three slots and one barrier per tile: after it, all threads are done with the tile before, and
// the slot of that one can be filled again.

namespace {

using Pipeline = cuda::pipeline<cuda::thread_scope_thread>;

constexpr int threads = 256;
constexpr int tile_results = 2048;
constexpr int numbers = tile_results + taps - 1;
constexpr int slots = 3;

__device__ int slot_of(int t) {
  return t % slots;
}

__device__ void fetch(float (*tile)[numbers], const float* in, int t, int tiles, int n,
                      Pipeline& pipe) {
  if (t < tiles) {
    float* to = tile[slot_of(t)];
    const float* from = in + t * tile_results;
    const int count = min(numbers, n + taps - 1 - t * tile_results);
    const int whole = count / 4 * 4;
    for (int i = 4 * threadIdx.x; i < whole; i += 4 * threads)
      cuda::memcpy_async(to + i, from + i, cuda::aligned_size_t<16>(16), pipe);
    if (whole + threadIdx.x < count)
      cuda::memcpy_async(to + whole + threadIdx.x, from + whole + threadIdx.x,
                         cuda::aligned_size_t<4>(4), pipe);
  }
  pipe.producer_commit();
}

__global__ void filter_kernel(const float* in, float* out, Weights weights, int n) {
  __shared__ __align__(16) float tile[slots][numbers];
  Pipeline pipe = cuda::make_pipeline();
  const int tiles = (n + tile_results - 1) / tile_results;
  const int step = gridDim.x;

  fetch(tile, in, blockIdx.x, tiles, n, pipe);
  fetch(tile, in, blockIdx.x + step, tiles, n, pipe);
  for (int t = blockIdx.x; t < tiles; t += step) {
    cuda::pipeline_consumer_wait_prior<1>(pipe);
    __syncthreads();
    fetch(tile, in, t + 2 * step, tiles, n, pipe);
    weigh(tile[slot_of(t)], out + t * tile_results, min(tile_results, n - t * tile_results),
          weights);
  }
}

}  // namespace

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  if (n == 0) return;
  filter_kernel<<<blocks, threads>>>(in, out, weights, n);
}
