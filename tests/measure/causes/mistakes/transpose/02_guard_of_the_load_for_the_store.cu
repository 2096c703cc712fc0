// CAUSE: The store uses the guard of the load, but the thread stores another element than it has loaded, and one of the two can be there and the other not.
// LINES: 26
// REPAIR: line 26: `if (inside)` -> `if (row_of_out < columns && column_of_out < rows)`
// GOOD HINT: For a matrix of 33 x 33, look at the last tile of the first row of tiles: which elements does a thread load there, and which does it store? Does your guard of the store ask about what is stored?
// SYMPTOM: Right if rows and columns are multiples of 32. Otherwise tiles at the edges leave elements unwritten, and others write out of bounds (or to a wrong place) what was never loaded into the tile.

#include "transpose.h"

namespace {

constexpr int block = 32;

__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[block][block + 1];
  const int x = threadIdx.x, y = threadIdx.y;

  const int row = blockIdx.y * block + y;
  const int column = blockIdx.x * block + x;
  const bool inside = row < rows && column < columns;
  if (inside) tile[y][x] = in[row * columns + column];

  __syncthreads();

  const int row_of_out = blockIdx.x * block + y;
  const int column_of_out = blockIdx.y * block + x;
  if (inside) out[row_of_out * rows + column_of_out] = tile[x][y];
}

int tiles(int elements) { return (elements + block - 1) / block; }

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  transpose_kernel<<<dim3(tiles(columns), tiles(rows)), dim3(block, block)>>>(in, out, rows,
                                                                              columns);
}
