// CAUSE: The element of row r and column c lies in slot c ^ r. The thread that stores column y of row x looks for it in slot y.
// LINES: 31
// REPAIR: line 31: `if (to.is_in(columns, rows)) out[to.index(rows)] = tile[x][y];` -> `if (to.is_in(columns, rows)) out[to.index(rows)] = tile[x][y ^ x];`
// SYMPTOM: Most elements are in the wrong place.

#include "transpose.h"

namespace {

constexpr int dim = 32;

// Where in a row of a matrix, and in which row.
struct Place {
  int row;
  int column;

  __device__ bool is_in(int rows, int columns) const { return row < rows && column < columns; }
  __device__ int index(int columns) const { return row * columns + column; }
};

__global__ void turn(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[dim][dim];
  const int x = threadIdx.x;
  const int y = threadIdx.y;

  const Place from = {int(blockIdx.y) * dim + y, int(blockIdx.x) * dim + x};
  if (from.is_in(rows, columns)) tile[y][x ^ y] = in[from.index(columns)];
  __syncthreads();

  const Place to = {int(blockIdx.x) * dim + y, int(blockIdx.y) * dim + x};
  if (to.is_in(columns, rows)) out[to.index(rows)] = tile[x][y];
}

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  const int tiles_x = (columns + dim - 1) / dim;
  const int tiles_y = (rows + dim - 1) / dim;
  if (tiles_x * tiles_y == 0) return;
  turn<<<dim3(tiles_x, tiles_y), dim3(dim, dim)>>>(in, out, rows, columns);
}
