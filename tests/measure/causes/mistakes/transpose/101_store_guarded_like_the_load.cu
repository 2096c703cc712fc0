// CAUSE: In the loop that stores, y runs over the columns of `in`. It is compared with rows, as in the loop that loads.
// LINES: 28
// REPAIR: line 28: `if (x < rows && y + j < rows) {` -> `if (x < rows && y + j < columns) {`
// SYMPTOM: Columns are missing or written outside, where the matrix is not square.

#include "transpose.h"

namespace {

constexpr int tile_size = 32;
constexpr int block_rows = 8;

__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[tile_size][tile_size + 1];

  int x = blockIdx.x * tile_size + threadIdx.x;
  int y = blockIdx.y * tile_size + threadIdx.y;
  for (int j = 0; j < tile_size; j += block_rows) {
    if (x < columns && y + j < rows) {
      tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * columns + x];
    }
  }
  __syncthreads();

  x = blockIdx.y * tile_size + threadIdx.x;
  y = blockIdx.x * tile_size + threadIdx.y;
  for (int j = 0; j < tile_size; j += block_rows) {
    if (x < rows && y + j < rows) {
      out[(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];
    }
  }
}

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  dim3 threads(tile_size, block_rows);
  dim3 blocks((columns + tile_size - 1) / tile_size, (rows + tile_size - 1) / tile_size);
  transpose_kernel<<<blocks, threads>>>(in, out, rows, columns);
}
