// CAUSE: The next copy starts before the barrier. It goes into the slot of the tile before this one, which slower threads may still be using.
// LINES: 40 42
// REPAIR: delete line 40: `request(slot[(round + depth - 1) % depth], in, Tile(t + (depth - 1) * step, n));`; before line 42: add `request(slot[(round + depth - 1) % depth], in, Tile(t + (depth - 1) * step, n));`
// SYMPTOM: A slot is overwritten by a copy while other threads read from it.

#include <cuda_pipeline.h>

#include "pipeline.h"

namespace {

constexpr int block = 256, depth = 4;
constexpr int yield = 4 * block, needed = yield + taps - 1;

struct Tile {
  int first, results;
  __device__ Tile(int t, int n) : first(t * yield), results(min(yield, n - t * yield)) {}
  __device__ int numbers() const { return results <= 0 ? 0 : results + taps - 1; }
};

__device__ void request(float* slot, const float* in, Tile tile) {
  const int whole = tile.numbers() & ~3;
  const float* from = in + tile.first;
  for (int i = 4 * threadIdx.x; i < whole; i += 4 * block)
    __pipeline_memcpy_async(&slot[i], &from[i], sizeof(float4));
  const int i = whole + threadIdx.x;
  if (i < tile.numbers()) __pipeline_memcpy_async(&slot[i], &from[i], sizeof(float));
  __pipeline_commit();
}

__global__ void __launch_bounds__(block)
    ring(const float* in, float* out, const Weights weights, int n) {
  __shared__ __align__(16) float slot[depth][needed];
  const int step = gridDim.x;
  for (int s = 0; s < depth - 1; ++s) request(slot[s], in, Tile(blockIdx.x + s * step, n));
  int round = 0;
  for (int t = blockIdx.x; t < (n + yield - 1) / yield; t += step, ++round) {
    const Tile tile(t, n);
    __pipeline_wait_prior(depth - 2);
    request(slot[(round + depth - 1) % depth], in, Tile(t + (depth - 1) * step, n));
    __syncthreads();
    weigh(slot[round % depth], out + tile.first, tile.results, weights);
  }
}

}  // namespace

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  if (n == 0) return;
  ring<<<blocks, block>>>(in, out, weights, n);
}
