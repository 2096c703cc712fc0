// CAUSE: The tile is copied four floats at a time, and the number of such pieces is rounded down. If the last tile does not need a multiple of four numbers, its last one to three numbers are not copied.
// LINES: 22
// REPAIR: before line 22: add `for (int i = 4 * pieces + threadIdx.x; i < count; i += nthreads) { __pipeline_memcpy_async(tile + i, in + first + i, sizeof(float)); }`
// SYMPTOM: Right for n a multiple of 4; otherwise the last results are wrong and read slots that nobody filled.

#include <cuda_pipeline.h>

#include "pipeline.h"

namespace {

constexpr int nthreads = 256;
constexpr int per_tile = 1024;
constexpr int needed = per_tile + taps - 1;

// Each thread copies pieces of 16 bytes.
__device__ void load_async(float* tile, const float* in, int first, int count) {
  const int pieces = count / 4;
  for (int p = threadIdx.x; p < pieces; p += nthreads) {
    __pipeline_memcpy_async(tile + 4 * p, in + first + 4 * p, 4 * sizeof(float));
  }
}

__global__ void filter_tiles(const float* in, float* out, Weights weights, int n) {
  __shared__ __align__(16) float tile[2][needed];
  int phase = 0;

  int first = blockIdx.x * per_tile;
  const int jump = gridDim.x * per_tile;
  if (first < n) load_async(tile[0], in, first, min(per_tile, n - first) + taps - 1);
  __pipeline_commit();

  for (; first < n; first += jump) {
    const int next = first + jump;
    if (next < n) load_async(tile[1 - phase], in, next, min(per_tile, n - next) + taps - 1);
    __pipeline_commit();

    __pipeline_wait_prior(1);
    __syncthreads();
    weigh(tile[phase], &out[first], min(per_tile, n - first), weights);
    __syncthreads();
    phase = 1 - phase;
  }
}

}  // namespace

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  if (n > 0) filter_tiles<<<blocks, nthreads>>>(in, out, weights, n);
}
