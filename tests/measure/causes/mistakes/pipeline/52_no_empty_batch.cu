// CAUSE: If there is no next tile, fetch_tile() returns without committing an empty batch, so the wait for all batches but the last leaves out the tile that is about to be used.
// LINES: 18
// REPAIR: line 18: `if (start >= n) return;` -> `if (start >= n) { pipe.producer_commit(); return; }`
// SYMPTOM: In each block's last step the tile is used while its copy may still be on its way, so the results of the last tiles are wrong now and then.
#include <cuda/pipeline>

#include "pipeline.h"

#define THREADS 256
#define RESULTS 1024
#define NUMBERS (RESULTS + taps - 1)

typedef cuda::pipeline<cuda::thread_scope_thread> pipe_t;

// every thread copies some of the numbers, 16 bytes at a time
__device__ void fetch_tile(float* slot, const float* in, int t, int n, pipe_t& pipe) {
  int start = t * RESULTS;
  if (start >= n) return;
  int count = min(NUMBERS, n + taps - 1 - start);
  int quads = count / 4;
  for (int q = threadIdx.x; q < quads; q += THREADS) {
    cuda::memcpy_async(&slot[4 * q], &in[start + 4 * q], cuda::aligned_size_t<16>(16), pipe);
  }
  int i = 4 * quads + threadIdx.x;
  if (i < count) {
    cuda::memcpy_async(&slot[i], &in[start + i], cuda::aligned_size_t<4>(4), pipe);
  }
  pipe.producer_commit();
}

__global__ void filter_two_slots(const float* in, float* out, Weights weights, int n) {
  __shared__ __align__(16) float slots[2][NUMBERS];
  pipe_t pipe = cuda::make_pipeline();
  int tiles = (n + RESULTS - 1) / RESULTS;

  fetch_tile(slots[0], in, blockIdx.x, n, pipe);
  int round = 0;
  for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
    fetch_tile(slots[(round + 1) % 2], in, t + gridDim.x, n, pipe);
    cuda::pipeline_consumer_wait_prior<1>(pipe);
    __syncthreads();
    weigh(slots[round % 2], &out[t * RESULTS], min(RESULTS, n - t * RESULTS), weights);
    __syncthreads();
    round++;
  }
}

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  if (n == 0) return;
  filter_two_slots<<<blocks, THREADS>>>(in, out, weights, n);
}
