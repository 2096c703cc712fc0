// CAUSE: The signal has n + 32 numbers. The last tile copies only those up to n - 1.
// LINES: 18
// REPAIR: line 18: `const int count = min(inputs, n - first);` -> `const int count = min(inputs, n + taps - 1 - first);`
// SYMPTOM: The last 32 results are wrong.

#include <cuda_pipeline.h>

#include "pipeline.h"

namespace {

constexpr int block = 256;
constexpr int outputs = 1024;
constexpr int inputs = outputs + taps - 1;

// Copies a tile, as one batch.
__device__ void start_copy(float* tile, const float* in, int first, int n) {
  const int count = min(inputs, n - first);
  for (int i = threadIdx.x; i < count; i += block) {
    __pipeline_memcpy_async(&tile[i], &in[first + i], sizeof(float));
  }
  __pipeline_commit();
}

__global__ void kernel(const float* in, float* out, Weights weights, int n) {
  __shared__ alignas(16) float tile[2][inputs];
  const int stride = gridDim.x * outputs;
  int slot = 0;
  int first = blockIdx.x * outputs;
  if (first < n) start_copy(tile[slot], in, first, n);
  while (first < n) {
    const int next = first + stride;
    if (next < n) {
      start_copy(tile[1 - slot], in, next, n);
      __pipeline_wait_prior(1);
    } else {
      __pipeline_wait_prior(0);
    }
    __syncthreads();
    weigh(tile[slot], &out[first], min(outputs, n - first), weights);
    __syncthreads();
    slot = 1 - slot;
    first = next;
  }
}

}  // namespace

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  if (n > 0) kernel<<<blocks, block>>>(in, out, weights, n);
}
