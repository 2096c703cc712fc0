// The tile is filled column by column: the store is coalesced, but the load is not.
// Test: transpose's warps use the sectors that they move
// Says: sector bytes wasted per useful byte
// Task: 2

#include "transpose.h"

namespace {

constexpr int block = 32;

__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[block][block + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  const int first_row = blockIdx.y * block;
  const int first_column = blockIdx.x * block;

  if (first_row + x < rows && first_column + y < columns) {
    tile[x][y] = in[(first_row + x) * columns + first_column + y];
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
