// CAUSE: the tile is written to the place in out that it had in in: block (2, 1) goes to row 1 and column 2 of tiles again
// LINES: 27, 28
// REPAIR: swap blockIdx.x and blockIdx.y for the store
// GOOD HINT: Where does block (2, 1) have to write its tile?
// SYMPTOM: right for one tile, wrong as soon as there are two

#include "transpose.h"

namespace {

constexpr int TILE = 32;

__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[TILE][TILE + 1];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;

  int col = blockIdx.x * TILE + tx;
  int row = blockIdx.y * TILE + ty;
  if (row < rows && col < columns) {
    tile[ty][tx] = in[row * columns + col];
  }

  __syncthreads();

  // now x runs along a row of out
  int out_col = blockIdx.x * TILE + tx;
  int out_row = blockIdx.y * TILE + ty;
  if (out_row < columns && out_col < rows) {
    out[out_row * rows + out_col] = tile[tx][ty];
  }
}

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  dim3 threads(TILE, TILE);
  dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  transpose_kernel<<<grid, threads>>>(in, out, rows, columns);
}
