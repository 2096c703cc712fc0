// CAUSE: The size is promised to be a multiple of 16 bytes, but in the last tile it need not be one: with n % 4 != 0 the last one to three numbers make no 16 bytes.
// LINES: 30
// REPAIR: `cuda::aligned_size_t<16>(sizeof(float) * count)` -> `sizeof(float) * count` (line 30)
// GOOD HINT: aligned_size_t<16> is a promise about the addresses and about the size. With n = 5, how many bytes do you copy, and is that a multiple of 16?
// SYMPTOM: Where n is no multiple of 4: undefined; the last numbers are not copied (uninitialized, last results wrong) or up to three too many are read past the end of `in`. Right for multiples of 4.
#include <cooperative_groups.h>

#include <cuda/pipeline>

#include "pipeline.h"

namespace cg = cooperative_groups;

namespace {

using Pipeline = cuda::pipeline<cuda::thread_scope_thread>;

constexpr int block = 256;                        // threads
constexpr int tile_results = 4 * block;           // that a tile yields
constexpr int numbers = tile_results + taps - 1;  // that they are made of
constexpr int stages = 4;

__device__ void fetch(float* tile, const float* in, int t, int n, Pipeline& pipe) {
  const int first = t * tile_results;
  pipe.producer_acquire();
  if (first < n) {
    const int count = min(tile_results, n - first) + taps - 1;
    // in, first and the slots are all multiples of 16 bytes
    cuda::memcpy_async(cg::this_thread_block(), tile, &in[first],
                       cuda::aligned_size_t<16>(sizeof(float) * count), pipe);
  }
  pipe.producer_commit();
}

__device__ void use(const float* tile, float* out, int t, int n, const Weights& weights) {
  const int first = t * tile_results;
  weigh(tile, &out[first], min(tile_results, n - first), weights);
}

__global__ void filter_kernel(const float* in, float* out, Weights weights, int n) {
  __shared__ __align__(16) float tile[stages][numbers];
  Pipeline pipe = cuda::make_pipeline();
  const int tiles = (n + tile_results - 1) / tile_results;
  const int step = gridDim.x;

  for (int s = 0; s < stages - 1; ++s) fetch(tile[s], in, blockIdx.x + s * step, n, pipe);

  int slot = 0;
  for (int t = blockIdx.x; t < tiles; t += step) {
    cuda::pipeline_consumer_wait_prior<stages - 2>(pipe);
    __syncthreads();  // the tile is there, and all are done with the one before
    fetch(tile[(slot + stages - 1) % stages], in, t + (stages - 1) * step, n, pipe);
    use(tile[slot], out, t, n, weights);
    pipe.consumer_release();
    slot = (slot + 1) % stages;
  }
}

}  // namespace

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  if (n > 0) filter_kernel<<<blocks, block>>>(in, out, weights, n);
}
