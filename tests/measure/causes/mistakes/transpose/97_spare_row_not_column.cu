// CAUSE: The spare element was added to the number of rows, tile[33][32], not to the length of a row, tile[32][33], so that all elements of a column are still in one bank.
// LINES: 13
// REPAIR: line 13: `__shared__ float tile[TILE_DIM + PAD][TILE_DIM];` -> `__shared__ float tile[TILE_DIM][TILE_DIM + PAD];`
// SYMPTOM: The result is right, but each read of a column of the tile takes 32 wavefronts: 33 per 32 elements instead of 2.

#include "transpose.h"

#define TILE_DIM 32
#define PAD 1

static __global__ void transposeTile(const float* __restrict__ in, float* __restrict__ out,
                                     int rows, int columns) {
  __shared__ float tile[TILE_DIM + PAD][TILE_DIM];

  int c = blockIdx.x * TILE_DIM + threadIdx.x;
  int r = blockIdx.y * TILE_DIM + threadIdx.y;
  if (r < rows && c < columns) {
    tile[threadIdx.y][threadIdx.x] = in[r * columns + c];
  }

  __syncthreads();

  // From here on r and c count in the output, which has `columns` rows of `rows` elements.
  r = blockIdx.x * TILE_DIM + threadIdx.y;
  c = blockIdx.y * TILE_DIM + threadIdx.x;
  if (r < columns && c < rows) {
    out[r * rows + c] = tile[threadIdx.x][threadIdx.y];
  }
}

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows > 0 && columns > 0) {
    dim3 threads(TILE_DIM, TILE_DIM);
    dim3 blocks((columns + TILE_DIM - 1) / TILE_DIM, (rows + TILE_DIM - 1) / TILE_DIM);
    transposeTile<<<blocks, threads>>>(in, out, rows, columns);
  }
}
