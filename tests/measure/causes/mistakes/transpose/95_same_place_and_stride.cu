// CAUSE: The column of the output is computed with blockIdx.x instead of blockIdx.y, so the tiles do not change places. And the store multiplies its row by the number of columns of in, while a row of out has as many elements as in has rows.
// LINES: 25 27
// REPAIR: line 25: `const int out_column = blockIdx.x * block + x;` -> `const int out_column = blockIdx.y * block + x;`; line 27: `out[out_row * columns + out_column] = tile[x][y];` -> `out[out_row * rows + out_column] = tile[x][y];`
// SYMPTOM: Tiles off the diagonal go to wrong columns, and in rectangles every row of out begins at a wrong index.

#include "transpose.h"

namespace {

constexpr int block = 32;

__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[block][block + 1];
  const int x = threadIdx.x, y = threadIdx.y;

  const int in_row = blockIdx.y * block + y;
  const int in_column = blockIdx.x * block + x;
  if (in_row < rows && in_column < columns) {
    tile[y][x] = in[in_row * columns + in_column];
  }

  __syncthreads();

  const int out_row = blockIdx.x * block + y;
  const int out_column = blockIdx.x * block + x;
  if (out_row < columns && out_column < rows) {
    out[out_row * columns + out_column] = tile[x][y];
  }
}

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  const dim3 threads(block, block);
  const dim3 blocks((columns + block - 1) / block, (rows + block - 1) / block);
  transpose_kernel<<<blocks, threads>>>(in, out, rows, columns);
}
