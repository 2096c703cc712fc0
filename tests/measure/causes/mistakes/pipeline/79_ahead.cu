// CAUSE: In the loop the tile that is fetched next moves on by one, but the tiles of a block are gridDim.x apart.
// LINES: 40
// REPAIR: ahead += gridDim.x;
// SYMPTOM: With more than one block, later tiles of a block get the numbers of other tiles.

// The C interface of asynchronous copies, three slots, two tiles on their way.
#include <cuda_pipeline.h>

#include "pipeline.h"

#define THREADS 256
#define RESULTS 2048
#define SLOTS 3
#define LENGTH (RESULTS + taps - 1)

static __device__ void start_copy(float* slot, const float* in, int tile, int tiles, int n) {
  if (tile < tiles) {
    int begin = tile * RESULTS;
    int length = min(RESULTS, n - begin) + taps - 1;
    for (int i = threadIdx.x; i < length; i += THREADS) {
      __pipeline_memcpy_async(slot + i, in + begin + i, sizeof(float));
    }
  }
  __pipeline_commit();
}

static __global__ void filter_tiles(const float* in, float* out, Weights weights, int n) {
  __shared__ __align__(16) float buffer[SLOTS][LENGTH];
  int tiles = (n + RESULTS - 1) / RESULTS;

  int ahead = blockIdx.x;
  for (int s = 0; s < SLOTS - 1; s++) {
    start_copy(buffer[s], in, ahead, tiles, n);
    ahead += gridDim.x;
  }

  int round = 0;
  for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    start_copy(buffer[(round + SLOTS - 1) % SLOTS], in, ahead, tiles, n);
    ahead++;
    __pipeline_wait_prior(SLOTS - 1);
    __syncthreads();
    int begin = tile * RESULTS;
    int results = n - begin < RESULTS ? n - begin : RESULTS;
    weigh(buffer[round % SLOTS], out + begin, results, weights);
    __syncthreads();
    round++;
  }
}

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  if (n == 0) return;
  filter_tiles<<<blocks, THREADS>>>(in, out, weights, n);
}
