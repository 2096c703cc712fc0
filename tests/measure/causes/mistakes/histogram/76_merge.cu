// CAUSE: Each thread adds one bin to the counts, but the block has 128 threads for 256 bins.
// LINES: 52 53
// REPAIR: for (int b = threadIdx.x; b < BINS; b += THREADS) {
// SYMPTOM: The counts of the values 128 to 255 do not grow.

// 16 bytes per load; bins of all lanes in one long array in dynamic shared memory
#include <cuda_runtime.h>

#include "histogram.h"

#define THREADS 128
#define WARP 32
#define BINS 256
#define BYTES_PER_BLOCK 16384
#define MAX_GRID 792

static __device__ void count4(unsigned* bins, unsigned word, int lane) {
  for (int k = 0; k < 4; k++) {
    unsigned value = (word >> (8 * k)) & 0xff;
    atomicAdd(&bins[value * WARP + lane], 1u);
  }
}

static __global__ void count_bytes(const unsigned char* data, unsigned* counts, int n) {
  extern __shared__ unsigned bins[];
  int lane = threadIdx.x & (WARP - 1);
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  int all = gridDim.x * blockDim.x;

  for (int b = threadIdx.x; b < BINS * WARP; b += THREADS) {
    bins[b] = 0;
  }
  __syncthreads();

  const uint4* vectors = reinterpret_cast<const uint4*>(data);
  int vector_count = n / 16;
  for (int i = id; i < vector_count; i += all) {
    uint4 v = vectors[i];
    count4(bins, v.x, lane);
    count4(bins, v.y, lane);
    count4(bins, v.z, lane);
    count4(bins, v.w, lane);
  }

  // what is left
  int rest = vector_count * 16 + id;
  if (rest < n) {
    atomicAdd(&bins[data[rest] * WARP + lane], 1u);
  }
  __syncthreads();

  int b = threadIdx.x;
  if (b < BINS) {
    unsigned sum = 0;
    for (int k = 0; k < WARP; k++) {
      sum += bins[b * WARP + (lane + k) % WARP];
    }
    atomicAdd(counts + b, sum);
  }
}

void histogram(const unsigned char* in, unsigned* counts, int n) {
  if (n > 0) {
    int grid = (n - 1) / BYTES_PER_BLOCK + 1;
    if (grid > MAX_GRID) grid = MAX_GRID;
    count_bytes<<<grid, THREADS, BINS * WARP * sizeof(unsigned)>>>(in, counts, n);
  }
}
