// CAUSE: Load, barrier and store are in the same loop, so in each round only 8 rows of the tile are loaded, and then whole columns are read, which need all 32 rows.
// LINES: 26
// REPAIR: line 26: `__syncthreads();` -> `} __syncthreads(); for (int k = 0; k < block; k += height) {`
// GOOD HINT: After the first round's barrier, which rows of the tile are filled? Which rows does a warp read for its store?
// SYMPTOM: Wrong: in the first three rounds reads of tile slots that nobody has written yet (of 32 elements in a row of out the last 24, 16, then 8), and a race between the read of a slot and its load in a later round. Of each tile only every fourth group of 8 rows of out is all right. Matrices of at most 8 rows are right.

// Lab `transpose`, four elements per thread

#include "transpose.h"

namespace {

constexpr int block = 32;   // rows and columns of a tile
constexpr int height = 8;   // rows of threads in a block

__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[block][block + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  const int top = blockIdx.y * block;
  const int left = blockIdx.x * block;

  for (int k = 0; k < block; k += height) {
    if (top + y + k < rows && left + x < columns) {
      tile[y + k][x] = in[(top + y + k) * columns + left + x];
    }
    __syncthreads();
    if (left + y + k < columns && top + x < rows) {
      out[(left + y + k) * rows + top + x] = tile[x][y + k];
    }
  }
}

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  const dim3 grid((columns + block - 1) / block, (rows + block - 1) / block);
  transpose_kernel<<<grid, dim3(block, height)>>>(in, out, rows, columns);
}
