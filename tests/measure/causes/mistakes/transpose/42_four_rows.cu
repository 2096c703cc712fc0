// CAUSE: A thread loads four rows that are 8 apart, but the guard of the load tests the first of them each time.
// LINES: 20
// REPAIR: line 20: `if (row < rows && column < columns) {` -> `if (row + k < rows && column < columns) {`
// SYMPTOM: In the last row of tiles, if rows is no multiple of 32, threads load past the end of `in`; the values are never stored.
#include "transpose.h"

namespace {

constexpr int tile_dim = 32;
constexpr int block_rows = 8;  // so each thread moves four elements

__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[tile_dim][tile_dim + 1];
  const int tx = threadIdx.x, ty = threadIdx.y;

  const int column = blockIdx.x * tile_dim + tx;
  const int row = blockIdx.y * tile_dim + ty;
#pragma unroll
  for (int k = 0; k < tile_dim; k += block_rows) {
    if (row < rows && column < columns) {
      tile[ty + k][tx] = in[(row + k) * columns + column];
    }
  }
  __syncthreads();

  const int out_column = blockIdx.y * tile_dim + tx;
  const int out_row = blockIdx.x * tile_dim + ty;
#pragma unroll
  for (int k = 0; k < tile_dim; k += block_rows) {
    if (out_row + k < columns && out_column < rows) {
      out[(out_row + k) * rows + out_column] = tile[tx][ty + k];
    }
  }
}

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows > 0 && columns > 0) {
    const dim3 block(tile_dim, block_rows);
    const dim3 grid((columns + tile_dim - 1) / tile_dim, (rows + tile_dim - 1) / tile_dim);
    transpose_kernel<<<grid, block>>>(in, out, rows, columns);
  }
}
