// CAUSE: aligned_size_t<16> promises a size that is a multiple of 16 bytes, but the last tile's is not if n is no multiple of 4.
// LINES: 31
// REPAIR: line 31: `const cuda::aligned_size_t<16> size(bytes);` -> `const cuda::aligned_size_t<4> size(bytes);`
// SYMPTOM: Right if n is a multiple of 4; otherwise the promise is broken for the last tile: up to three of its last numbers are not copied, or the copy reaches past the end of `in`.
#include <cooperative_groups.h>

#include <cuda/pipeline>

#include "pipeline.h"

namespace cg = cooperative_groups;

namespace {

using Pipeline = cuda::pipeline<cuda::thread_scope_thread>;

constexpr int block = 256;
constexpr int results = 4096;
constexpr int numbers = results + taps - 1;

struct Tile {
  int first, yields;  // the first result, and how many
};

__device__ Tile tile(int t, int n) { return {t * results, min(results, n - t * results)}; }

__device__ void fetch(float* to, const float* in, int t, int n, Pipeline& pipe) {
  const Tile next = tile(t, n);
  if (next.yields > 0) {
    const size_t bytes = (next.yields + taps - 1) * sizeof(float);
    const cuda::aligned_size_t<16> size(bytes);
    cuda::memcpy_async(cg::this_thread_block(), to, in + next.first, size, pipe);
  }
  pipe.producer_commit();
}

__global__ void filter_kernel(const float* in, float* out, Weights weights, int n) {
  __shared__ __align__(16) float slots[2][numbers];
  Pipeline pipe = cuda::make_pipeline();
  int slot = 0;

  fetch(slots[slot], in, blockIdx.x, n, pipe);
  for (int t = blockIdx.x; tile(t, n).yields > 0; t += gridDim.x) {
    fetch(slots[slot ^ 1], in, t + gridDim.x, n, pipe);
    cuda::pipeline_consumer_wait_prior<1>(pipe);
    __syncthreads();
    const Tile now = tile(t, n);
    weigh(slots[slot], out + now.first, now.yields, weights);
    __syncthreads();
    slot ^= 1;
  }
}

}  // namespace

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  if (n == 0) return;
  filter_kernel<<<blocks, block>>>(in, out, weights, n);
}
