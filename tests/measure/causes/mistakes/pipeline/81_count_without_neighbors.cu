// CAUSE: The last tile needs 32 numbers more than it has results, and the signal has n + 32 numbers. The copy is cut at n - first, as if the signal ended at n, so the last 32 numbers are not copied.
// LINES: 26
// REPAIR: line 26: `int howMany = min(INPUTS, n - begin);` -> `int howMany = min(INPUTS, n + taps - 1 - begin);`
// SYMPTOM: The last 32 results are wrong, and they read slots of the tile that nobody filled.

#include <cooperative_groups.h>

#include <cuda/pipeline>

#include "pipeline.h"

namespace cg = cooperative_groups;

namespace {

const int THREADS = 256;
const int RESULTS = 1024;                // per tile
const int INPUTS = RESULTS + taps - 1;   // per tile

using Pipe = cuda::pipeline<cuda::thread_scope_thread>;

__device__ void startCopy(float* slot, const float* in, int t, int n, Pipe& pipe) {
  pipe.producer_acquire();
  int begin = t * RESULTS;
  if (begin < n) {
    int howMany = min(INPUTS, n - begin);
    cuda::memcpy_async(cg::this_thread_block(), slot, in + begin, howMany * sizeof(float), pipe);
  }
  pipe.producer_commit();
}

__global__ void __launch_bounds__(THREADS)
filterKernel(const float* in, float* out, Weights w, int n) {
  __shared__ __align__(16) float a[INPUTS + 3];
  __shared__ __align__(16) float b[INPUTS + 3];
  float* now = a;
  float* next = b;
  Pipe pipe = cuda::make_pipeline();
  int tiles = (n + RESULTS - 1) / RESULTS;

  int t = blockIdx.x;
  startCopy(now, in, t, n, pipe);
  while (t < tiles) {
    startCopy(next, in, t + gridDim.x, n, pipe);
    cuda::pipeline_consumer_wait_prior<1>(pipe);
    __syncthreads();
    weigh(now, out + t * RESULTS, min(RESULTS, n - t * RESULTS), w);
    __syncthreads();
    pipe.consumer_release();

    float* swap = now;
    now = next;
    next = swap;
    t += gridDim.x;
  }
}

}  // namespace

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  if (n == 0) return;
  filterKernel<<<blocks, THREADS>>>(in, out, weights, n);
}
