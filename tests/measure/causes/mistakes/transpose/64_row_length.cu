// CAUSE: The index into out uses the row length of in (columns) instead of that of out (rows).
// LINES: 31
// REPAIR: out[oy * rows + ox]
// SYMPTOM: Right for square matrices; for others elements go to wrong places, several threads write the same element, and some writes are outside of out when columns > rows.

#include "transpose.h"

#define TILE_DIM 32
#define BLOCK_ROWS 16

namespace {

// A flat tile: rows of TILE_DIM elements and a spare one.
__device__ int slot(int row, int column) { return row * (TILE_DIM + 1) + column; }

__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float buf[TILE_DIM * (TILE_DIM + 1)];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;

  for (int k = ty; k < TILE_DIM; k += BLOCK_ROWS) {
    const int ix = blockIdx.x * TILE_DIM + tx;
    const int iy = blockIdx.y * TILE_DIM + k;
    if (ix < columns && iy < rows) buf[slot(k, tx)] = in[iy * columns + ix];
  }
  __syncthreads();

  for (int k = ty; k < TILE_DIM; k += BLOCK_ROWS) {
    const int ox = blockIdx.y * TILE_DIM + tx;
    const int oy = blockIdx.x * TILE_DIM + k;
    if (ox < rows && oy < columns) out[oy * columns + ox] = buf[slot(tx, k)];
  }
}

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  dim3 threads(TILE_DIM, BLOCK_ROWS);
  dim3 blocks((columns + TILE_DIM - 1) / TILE_DIM, (rows + TILE_DIM - 1) / TILE_DIM);
  transpose_kernel<<<blocks, threads>>>(in, out, rows, columns);
}
