// CAUSE: Two mistakes. (1) The tile that is fetched ahead is t + 1, but the next tile of this block is t + gridDim.x. (2) There is no barrier after the tile has been used, so a fast thread starts to copy into the slot while others still read it.
// LINES: 38 42
// REPAIR: line 38: `fetch(1 - slot, t + 1);` -> `fetch(1 - slot, t + gridDim.x);`; before line 42: add `me.sync();`
// SYMPTOM: With more than one block, all tiles but the first of each block are computed from the wrong numbers; and a data race between the copy and the threads that use the slot.

#include <cooperative_groups.h>

#include <cuda/pipeline>

#include "pipeline.h"

namespace cg = cooperative_groups;

namespace {

constexpr int B = 256;
constexpr int R = 4 * B;
constexpr int S = R + taps - 1;

__global__ void kernel(const float* in, float* out, Weights weights, int n) {
  __shared__ __align__(16) float tiles[2][S];
  auto me = cg::this_thread_block();
  auto pipe = cuda::make_pipeline();
  const int last = (n - 1) / R;

  auto fetch = [&](int slot, int t) {
    if (t <= last) {
      const int first = t * R;
      const int count = min(R, n - first) + taps - 1;
      cuda::memcpy_async(me, tiles[slot], in + first, count * sizeof(float), pipe);
    }
    pipe.producer_commit();
  };

  fetch(0, blockIdx.x);
  int slot = 0;
  for (int t = blockIdx.x; t <= last; t += gridDim.x) {
    fetch(1 - slot, t + 1);
    cuda::pipeline_consumer_wait_prior<1>(pipe);
    me.sync();
    weigh(tiles[slot], out + t * R, min(R, n - t * R), weights);
    slot = 1 - slot;
  }
}

}  // namespace

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  if (n != 0) kernel<<<blocks, B>>>(in, out, weights, n);
}
