// One line of this file is at fault: `./tilelab detective transpose all_in_line`.

#include "transpose.h"

namespace {

constexpr int block = 32;

__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[block][block];
  const int x = threadIdx.x, y = threadIdx.y;
  const int first_row = blockIdx.y * block;
  const int first_column = blockIdx.x * block;

  if (first_row + y < rows && first_column + x < columns) {
    tile[y][x] = in[(first_row + y) * columns + first_column + x];
  }
  __syncthreads();
  if (first_row + x < rows && first_column + y < columns) {
    out[(first_column + y) * rows + first_row + x] = tile[x][y];
  }
}

int tiles(int elements) { return (elements + block - 1) / block; }

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  const dim3 grid(tiles(columns), tiles(rows));
  transpose_kernel<<<grid, dim3(block, block)>>>(in, out, rows, columns);
}
