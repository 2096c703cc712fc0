// CAUSE: The store takes `columns` for the length of a row of out, but a row of out has `rows` elements.
// LINES: 26
// REPAIR: line 26: `out[r2 * columns + c2]` -> `out[r2 * rows + c2]`
// GOOD HINT: Your squares are right, your rectangles are not. A matrix of 2 rows and 3 columns: how many elements has a row of its transpose?
// SYMPTOM: Right for squares. For rectangles the elements go to wrong places, and with columns > rows also past the end of out; with columns < rows some are overwritten and others not written.

#include "transpose.h"

constexpr int block = 32;

__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[block][block + 1];
  const int x = threadIdx.x;
  const int y = threadIdx.y;

  // load
  int c1 = blockIdx.x * block + x;
  int r1 = blockIdx.y * block + y;
  if (c1 < columns && r1 < rows) tile[y][x] = in[r1 * columns + c1];

  __syncthreads();

  // store
  int c2 = blockIdx.y * block + x;
  int r2 = blockIdx.x * block + y;
  if (c2 < rows && r2 < columns) out[r2 * columns + c2] = tile[x][y];
}

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  dim3 threads(block, block);
  dim3 grid;
  grid.x = (columns + block - 1) / block;
  grid.y = (rows + block - 1) / block;
  transpose_kernel<<<grid, threads>>>(in, out, rows, columns);
}
