// CAUSE: Threads that have nothing to load return before the barrier, but at the edge of the matrix some of them have an element of the transpose to store.
// LINES: 17
// REPAIR: replace the line by: if (r < rows && c < columns)
// SYMPTOM: Elements of out are never written where a tile at the edge is not square (for example 10 x 20), and threads return before the barrier that others wait at.

#include "transpose.h"

namespace {

constexpr int side = 32;

__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[side][side + 1];

  const int r = blockIdx.y * side + threadIdx.y;
  const int c = blockIdx.x * side + threadIdx.x;
  if (r >= rows || c >= columns) return;
  tile[threadIdx.y][threadIdx.x] = in[r * columns + c];

  __syncthreads();

  const int to_row = blockIdx.x * side + threadIdx.y;
  const int to_column = blockIdx.y * side + threadIdx.x;
  if (to_row < columns && to_column < rows) {
    out[to_row * rows + to_column] = tile[threadIdx.x][threadIdx.y];
  }
}

int tiles(int length) { return (length + side - 1) / side; }

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows * columns == 0) return;
  dim3 block(side, side);
  dim3 grid(tiles(columns), tiles(rows));
  transpose_kernel<<<grid, block>>>(in, out, rows, columns);
}
