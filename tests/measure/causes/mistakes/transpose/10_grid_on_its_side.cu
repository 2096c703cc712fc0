// CAUSE: The launch gives the grid's x direction the tiles of the rows and its y direction those of the columns, but the kernel takes x for columns and y for rows.
// LINES: 34
// REPAIR: line 34: `grid(down, across)` -> `grid(across, down)`
// GOOD HINT: Your kernel counts tiles along a row with blockIdx.x. How many does your launch make in that direction for a matrix of 32 rows and 320 columns?
// SYMPTOM: Right for squares (and if both sides need equally many tiles). Other rectangles: the tiles past the shorter side are never launched, so parts of out are not written.

#include "transpose.h"

namespace {

constexpr int block = 32;  // rows and columns of a tile

__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[block][block + 1];
  const int x = threadIdx.x, y = threadIdx.y;

  const int r = blockIdx.y * block + y;
  const int c = blockIdx.x * block + x;
  if (r < rows && c < columns) tile[y][x] = in[r * columns + c];

  __syncthreads();

  const int out_r = blockIdx.x * block + y;
  const int out_c = blockIdx.y * block + x;
  if (out_r < columns && out_c < rows) out[out_r * rows + out_c] = tile[x][y];
}

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  const int down = (rows + block - 1) / block;
  const int across = (columns + block - 1) / block;
  const dim3 grid(down, across);
  transpose_kernel<<<grid, dim3(block, block)>>>(in, out, rows, columns);
}
