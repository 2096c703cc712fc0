// CAUSE: With three slots, two later batches may be on their way, so __pipeline_wait_prior must allow 2; it allows 3 (the number of slots), which includes the batch of the tile that is about to be used.
// LINES: 47
// REPAIR: line 47: `__pipeline_wait_prior(stages);` -> `__pipeline_wait_prior(stages - 1);`
// SYMPTOM: The block uses tiles that may not have arrived: a race between copies and reads, with wrong results.

#include <cuda_pipeline.h>

#include "pipeline.h"

// Three slots: while the block uses one tile, the next two are on their way.

namespace {

constexpr int block = 256;
constexpr int results = 1024;
constexpr int numbers = results + 32;
constexpr int stages = 3;

struct Slots {
  float number[stages][numbers];
};

// One batch: the numbers of tile t, or none.
__device__ void start(float* to, const float* in, long long t, int n) {
  const long long first = t * results;
  if (first < n) {
    const int count = static_cast<int>(min(static_cast<long long>(numbers), n + 32 - first));
    const int quads = count / 4;
    const float* from = in + first;
    for (int q = threadIdx.x; q < quads; q += block)
      __pipeline_memcpy_async(to + 4 * q, from + 4 * q, 16);
    for (int i = 4 * quads + threadIdx.x; i < count; i += block)
      __pipeline_memcpy_async(to + i, from + i, 4);
  }
  __pipeline_commit();
}

__global__ void filter_kernel(const float* in, float* out, Weights weights, int n) {
  __shared__ __align__(16) Slots slots;
  const int step = gridDim.x;
  for (int s = 0; s < stages - 1; ++s) start(slots.number[s], in, blockIdx.x + s * step, n);

  int use = 0;
  for (int t = blockIdx.x; t * results < n; t += step) {
    const int fill = (use + stages - 1) % stages;
    start(slots.number[fill], in, t + (stages - 1) * step, n);
    __pipeline_wait_prior(stages);
    __syncthreads();

    const int first = t * results;
    weigh(slots.number[use], out + first, min(results, n - first), weights);
    __syncthreads();
    use = (use + 1) % stages;
  }
}

}  // namespace

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  if (n == 0) return;
  filter_kernel<<<blocks, block>>>(in, out, weights, n);
}
