// CAUSE: Two mistakes: the number of tiles below one another is rounded down, so the last rows % 32 rows are left out (and with fewer than 32 rows the launch fails); and the tile is read as it was filled, tile[y][x], so rows do not become columns within the tile.
// LINES: 30, 37
// REPAIR: line 30: `tile[y][x]` -> `tile[x][y]`; line 37: `rows / block` -> `(rows + block - 1) / block`
// GOOD HINT: First: how many tiles below one another does a matrix of 40 rows need, and how many do you launch? Then: which slot do you fill, which one do you read, and what has changed in between?
// SYMPTOM: Tiles are in the right place but not turned: wrong except on their diagonals; at right edges also reads of unwritten slots. The columns of out for the last rows % 32 rows are not written; rows < 32: invalid configuration.

// transpose with a tile

#include "transpose.h"

constexpr int block = 32;

__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[block][block + 1];
  const int x = threadIdx.x, y = threadIdx.y;

  // read
  const int in_row = blockIdx.y * block + y;
  const int in_column = blockIdx.x * block + x;
  if (in_row < rows && in_column < columns) {
    tile[y][x] = in[in_row * columns + in_column];
  }

  __syncthreads();

  // write
  const int out_row = blockIdx.x * block + y;
  const int out_column = blockIdx.y * block + x;
  if (out_row < columns && out_column < rows) {
    out[out_row * rows + out_column] = tile[y][x];
  }
}

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  const int tiles_x = (columns + block - 1) / block;
  const int tiles_y = rows / block;
  const dim3 grid(tiles_x, tiles_y), threads(block, block);
  transpose_kernel<<<grid, threads>>>(in, out, rows, columns);
}
