// CAUSE: The guard of the store is copied from the load: in out, x runs along a row of length rows and y counts its columns, so x has to be compared with rows and y with columns.
// LINES: 29
// REPAIR: line 29: `if (x < columns && y + j < rows) {` -> `if (x < rows && y + j < columns) {`
// SYMPTOM: Right for square matrices; for others, elements of out are missing, and others are written to wrong places or past its end.
#include "transpose.h"

#define TILE_DIM 32
#define BLOCK_ROWS 8

__global__ void transposeKernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[TILE_DIM][TILE_DIM + 1];

  int x = blockIdx.x * TILE_DIM + threadIdx.x;
  int y = blockIdx.y * TILE_DIM + threadIdx.y;

  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS) {
    if (x < columns && y + j < rows) {
      tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * columns + x];
    }
  }

  __syncthreads();

  // swap the block indices: the tile's place in the output
  x = blockIdx.y * TILE_DIM + threadIdx.x;
  y = blockIdx.x * TILE_DIM + threadIdx.y;

  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS) {
    if (x < columns && y + j < rows) {
      out[(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];
    }
  }
}

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  dim3 threads(TILE_DIM, BLOCK_ROWS);
  dim3 blocks((columns + TILE_DIM - 1) / TILE_DIM, (rows + TILE_DIM - 1) / TILE_DIM);
  transposeKernel<<<blocks, threads>>>(in, out, rows, columns);
}
