// CAUSE: A row of the tile is 33 floats long, with the spare one, and is filled like that; but it is read as if rows were 32 long.
// LINES: 25
// REPAIR: line 25: `out[to_row * rows + to_column] = tile[tx * block + ty];` -> `out[to_row * rows + to_column] = tile[tx * (block + 1) + ty];`
// SYMPTOM: Only the first row of each tile of `in` arrives right; other elements come from wrong places of the tile, or from spare slots that nobody wrote.
#include "transpose.h"

namespace {

constexpr int block = 32;

__global__ void transpose_kernel(const float* __restrict__ in, float* __restrict__ out, int rows,
                                 int columns) {
  // One float more per row, against bank conflicts.
  __shared__ float tile[block * (block + 1)];

  const unsigned tx = threadIdx.x, ty = threadIdx.y;
  const unsigned from_row = blockIdx.y * block + ty, from_column = blockIdx.x * block + tx;
  const unsigned to_row = blockIdx.x * block + ty, to_column = blockIdx.y * block + tx;

  if (from_row < rows && from_column < columns) {
    tile[ty * (block + 1) + tx] = in[from_row * columns + from_column];
  }
  __syncthreads();
  if (to_row < columns && to_column < rows) {
    out[to_row * rows + to_column] = tile[tx * block + ty];
  }
}

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  const dim3 grid((columns + block - 1) / block, (rows + block - 1) / block);
  if (grid.x == 0 || grid.y == 0) return;
  transpose_kernel<<<grid, dim3(block, block)>>>(in, out, rows, columns);
}
