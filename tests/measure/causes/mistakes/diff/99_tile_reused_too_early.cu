// CAUSE: A block makes several tiles in a loop, but there is no barrier between the use of a tile and the load of the next one into the same array.
// LINES: 18 19 20 27 28
// REPAIR: insert `__syncthreads();` after line 27
// SYMPTOM: A data race: a fast warp overwrites tile[tx] with the next tile while a neighbor's warp has yet to read it; now and then a difference at a warp boundary is wrong.

#include "diff.h"

// A few blocks walk over the whole row, a tile at a time.

#define TILE 256
#define MAX_BLOCKS 1056

__global__ void diff_kernel(const int* in, int* out, int n, int tiles) {
  __shared__ int tile[TILE];
  const int tx = threadIdx.x;

  for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
    const int i = t * TILE + tx;
    int before = 0;
    if (i < n) tile[tx] = in[i];
    if (tx == 0 && t > 0) before = in[i - 1];
    __syncthreads();

    if (i < n) {
      if (tx > 0) before = tile[tx - 1];
      out[i] = tile[tx] - before;
    }
  }
}

void diff(const int* in, int* out, int n) {
  if (n == 0) return;
  int tiles = n / TILE;
  if (n % TILE) ++tiles;
  int blocks = tiles < MAX_BLOCKS ? tiles : MAX_BLOCKS;
  diff_kernel<<<blocks, TILE>>>(in, out, n, tiles);
}
