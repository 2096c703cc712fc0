// CAUSE: (1) The number of 16-byte copies is rounded down and nothing copies the last count mod 4 numbers. (2) No barrier follows weigh(), so the next step starts a copy into the slot that other threads still use.
// LINES: 27 28 45 46 47 48 49
// REPAIR: insert `for (int i = 4 * vectors + threadIdx.x; i < count; i += kThreads) __pipeline_memcpy_async(&shared[i], &global[i], sizeof(float));` after line 27; insert `__syncthreads();` after line 45
// SYMPTOM: (1) If n is not a multiple of 4, the last results are made from up to three numbers that were never copied. (2) A data race: results of a slow warp are made from a later tile.

#include <cuda_pipeline.h>

#include "pipeline.h"

namespace {

constexpr int kThreads = 128;
constexpr int kResults = 8 * kThreads;
constexpr int kNumbers = kResults + taps - 1;

struct Tile {
  int first;  // result
  int results;

  __device__ Tile(int t, int n) : first(t * kResults), results(min(kResults, n - t * kResults)) {}
  __device__ int numbers() const { return results > 0 ? results + taps - 1 : 0; }
};

__device__ __forceinline__ void copy_batch(float* shared, const float* global, int count) {
  const int vectors = count / 4;
  for (int v = threadIdx.x; v < vectors; v += kThreads)
    __pipeline_memcpy_async(&shared[4 * v], &global[4 * v], sizeof(float4));
  __pipeline_commit();
}

__global__ void filter_kernel(const float* in, float* out, Weights weights, int n) {
  __shared__ __align__(16) float slots[2][kNumbers];
  float* now = slots[0];
  float* later = slots[1];
  int t = blockIdx.x;
  Tile tile(t, n);
  copy_batch(now, in + tile.first, tile.numbers());

  while (tile.results > 0) {
    t += gridDim.x;
    const Tile next(t, n);
    copy_batch(later, in + next.first, next.numbers());
    __pipeline_wait_prior(1);
    __syncthreads();
    weigh(now, out + tile.first, tile.results, weights);
    float* const swap = now;
    now = later;
    later = swap;
    tile = next;
  }
}

}  // namespace

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  if (n == 0) return;
  filter_kernel<<<blocks, kThreads>>>(in, out, weights, n);
}
