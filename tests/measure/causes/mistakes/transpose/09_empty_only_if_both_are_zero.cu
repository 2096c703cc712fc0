// CAUSE: The function returns early only if rows and columns are both 0, but a matrix is empty already if one of them is, and then one side of the grid is 0.
// LINES: 27
// REPAIR: line 27: `rows == 0 && columns == 0` -> `rows == 0 || columns == 0`
// GOOD HINT: What is your grid for a matrix of 5 rows and 0 columns?
// SYMPTOM: Only for matrices with exactly one size 0: a launch with a grid side of 0 fails with "invalid configuration". All other sizes are right.

#include "transpose.h"

constexpr int block = 32;

__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[block][block + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  const int first_column = blockIdx.x * block;
  const int first_row = blockIdx.y * block;

  if (first_row + y < rows && first_column + x < columns) {
    tile[y][x] = in[(first_row + y) * columns + first_column + x];
  }
  __syncthreads();
  if (first_column + y < columns && first_row + x < rows) {
    out[(first_column + y) * rows + first_row + x] = tile[x][y];
  }
}

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 && columns == 0) return;  // nothing to do
  const dim3 grid((columns + block - 1) / block, (rows + block - 1) / block);
  const dim3 threads(block, block);
  transpose_kernel<<<grid, threads>>>(in, out, rows, columns);
}
