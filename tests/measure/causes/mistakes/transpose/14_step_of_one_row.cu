// CAUSE: In the loop of the load a thread goes on by one row and not by the 8 rows of threads, so only rows 0 to 10 of the tile are loaded, some of them by several threads, and the others are never filled.
// LINES: 23
// REPAIR: line 23: `threadIdx.y + k;` -> `threadIdx.y + k * height;`
// GOOD HINT: Which rows of the tile does the thread with threadIdx.y = 0 load in its four rounds, and which the one with threadIdx.y = 1? Who loads row 20?
// SYMPTOM: Wrong: rows 11 to 31 of each tile are read without having been written, so out has garbage there. Rows 0 to 10 are right, but are loaded and stored more than once.

#include "transpose.h"

namespace {

constexpr int block = 32;
constexpr int height = 8;              // rows of threads
constexpr int each = block / height;   // elements per thread

__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[block][block + 1];
  const int x = threadIdx.x;
  const int first_row = blockIdx.y * block;
  const int first_column = blockIdx.x * block;

#pragma unroll
  for (int k = 0; k < each; ++k) {
    const int y = threadIdx.y + k;
    const int r = first_row + y;
    const int c = first_column + x;
    if (r < rows && c < columns) tile[y][x] = in[r * columns + c];
  }

  __syncthreads();

#pragma unroll
  for (int k = 0; k < each; ++k) {
    const int y = threadIdx.y + k * height;
    const int r = first_column + y;
    const int c = first_row + x;
    if (r < columns && c < rows) out[r * rows + c] = tile[x][y];
  }
}

int tiles(int length) { return (length + block - 1) / block; }

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  transpose_kernel<<<dim3(tiles(columns), tiles(rows)), dim3(block, height)>>>(in, out, rows,
                                                                               columns);
}
