// Step 4: no spare column. Instead each row of the tile has its elements in another order: the
// element of column c lies in slot c ^ r of row r. For a fixed r, c ^ r takes every value from 0 to
// 31 once, so a row has a slot for each of its elements. For a fixed c it does as well, so a column
// has one element in each bank.
//
// Wavefronts and sectors are those of step 3. The tile takes 4096 bytes instead of 4224, at the
// price of an XOR for each access. Swizzling pays where padding would break the alignment of vector
// accesses, or where the hardware dictates the layout of the tile; see step 7. Here it is as fast
// as step 3.

#include "transpose.h"

namespace {

constexpr int block = 32;  // rows and columns of a tile, and of a block of threads

__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[block][block];
  const int x = threadIdx.x, y = threadIdx.y;
  const int first_row = blockIdx.y * block;
  const int first_column = blockIdx.x * block;

  if (first_row + y < rows && first_column + x < columns) {
    tile[y][x ^ y] = in[(first_row + y) * columns + first_column + x];
  }
  __syncthreads();
  if (first_row + x < rows && first_column + y < columns) {
    out[(first_column + y) * rows + first_row + x] = tile[x][y ^ x];
  }
}

int tiles(int elements) { return (elements + block - 1) / block; }

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  const dim3 grid(tiles(columns), tiles(rows));
  transpose_kernel<<<grid, dim3(block, block)>>>(in, out, rows, columns);
}
