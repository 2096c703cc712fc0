// CAUSE: before the loop every block fetches tile 0, but the first tile of a block is tile blockIdx.x
// LINES: 41
// REPAIR: fetch tile blockIdx.x before the loop
// GOOD HINT: Which tile does block 1 use first? Which one have you put into its slot by then?
// SYMPTOM: the first tile of each block but block 0 has the results of tile 0

#include <cooperative_groups.h>

#include <cuda/pipeline>

#include "pipeline.h"

namespace cg = cooperative_groups;

constexpr int kThreads = 256;
constexpr int kResults = 2 * 4 * kThreads;
constexpr int kNumbers = kResults + taps - 1;

struct Slots {
  float numbers[2][kNumbers];
};

template <class Pipeline>
__device__ void fetchTile(float* slot, const float* in, int tile, int n, Pipeline& pipeline) {
  pipeline.producer_acquire();
  const int start = tile * kResults;
  if (start < n) {
    const int have = n + taps - 1 - start;
    const int want = have < kNumbers ? have : kNumbers;
    cuda::memcpy_async(cg::this_thread_block(), slot, in + start, want * sizeof(float), pipeline);
  }
  pipeline.producer_commit();
}

__global__ void __launch_bounds__(kThreads)
    filterTiles(const float* in, float* out, Weights weights, int n) {
  __shared__ __align__(16) Slots slots;
  auto pipeline = cuda::make_pipeline();
  const int tileCount = (n + kResults - 1) / kResults;

  fetchTile(slots.numbers[0], in, 0, n, pipeline);
  int round = 0;
  for (int tile = blockIdx.x; tile < tileCount; tile += gridDim.x, ++round) {
    fetchTile(slots.numbers[(round + 1) % 2], in, tile + gridDim.x, n, pipeline);
    cuda::pipeline_consumer_wait_prior<1>(pipeline);
    __syncthreads();
    const int start = tile * kResults;
    weigh(slots.numbers[round % 2], &out[start], min(kResults, n - start), weights);
    pipeline.consumer_release();
    __syncthreads();
  }
}

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  if (n == 0) return;
  filterTiles<<<blocks, kThreads>>>(in, out, weights, n);
}
