// CAUSE: With three slots, tile s + 2 of the block (two ahead) belongs in slot (s + 2) % 3. The loop puts it into slot (s + 1) % 3, which holds the tile that is to be used next, and which may not even have arrived.
// LINES: 51
// REPAIR: line 51: `request(slot[(step + 1) % kSlots], s, t + 2 * stride, pipe);` -> `request(slot[(step + 2) % kSlots], s, t + 2 * stride, pipe);`
// SYMPTOM: A block with three tiles or more uses the wrong tile: from its second tile on the results are those of other places, and copies overwrite what is in flight.

#include <cooperative_groups.h>

#include <cuda/pipeline>

#include "pipeline.h"

namespace {

namespace cg = cooperative_groups;

constexpr int kThreads = 256;
constexpr int kResults = 4 * kThreads;
constexpr int kNumbers = kResults + taps - 1;
constexpr int kSlots = 3;

using Pipe = cuda::pipeline<cuda::thread_scope_thread>;

struct Signal {
  const float* in;
  float* out;
  int n;

  __device__ int tiles() const { return (n + kResults - 1) / kResults; }
  __device__ int results(int t) const { return min(kResults, n - t * kResults); }
};

__device__ void request(float* slot, const Signal& s, int t, Pipe& pipe) {
  if (t < s.tiles()) {
    const int numbers = s.results(t) + taps - 1;
    cuda::memcpy_async(cg::this_thread_block(), slot, s.in + t * kResults,
                       sizeof(float) * numbers, pipe);
  }
  pipe.producer_commit();
}

__global__ void threeSlots(Signal s, Weights weights) {
  __shared__ __align__(16) float slot[kSlots][kNumbers];
  Pipe pipe = cuda::make_pipeline();
  const int stride = gridDim.x;

  request(slot[0], s, blockIdx.x, pipe);
  request(slot[1], s, blockIdx.x + stride, pipe);

  int step = 0;
  for (int t = blockIdx.x; t < s.tiles(); t += stride, ++step) {
    request(slot[(step + 1) % kSlots], s, t + 2 * stride, pipe);
    cuda::pipeline_consumer_wait_prior<2>(pipe);
    __syncthreads();
    weigh(slot[step % kSlots], s.out + t * kResults, s.results(t), weights);
    __syncthreads();
  }
}

}  // namespace

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  if (n > 0) threeSlots<<<blocks, kThreads>>>(Signal{in, out, n}, weights);
}
