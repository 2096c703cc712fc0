// CAUSE: (1) The row of tiles of a block is its number divided by the tiles down instead of the tiles across. (2) The guard of the store compares the row in out with rows and the column in out with columns, but out has `columns` rows of `rows` elements.
// LINES: 16 32
// REPAIR: line 16: `const int tile_row = blockIdx.x / down;` -> `const int tile_row = blockIdx.x / across;`; line 32: `if (r < rows && c < columns) out[r * rows + c] = tile[x][y];` -> `if (r < columns && c < rows) out[r * rows + c] = tile[x][y];`
// SYMPTOM: (1) If a matrix has not as many tiles across as down, some tiles are moved twice or never. (2) Parts of rectangular matrices, and of tiles at the edge, are not stored, or stored out of bounds.

#include "transpose.h"

namespace {

constexpr int T = 32;

// All tiles are numbered in one direction: block b has tile b, counted row by row.
__global__ void transpose_kernel(const float* in, float* out, int rows, int columns, int across,
                                 int down) {
  __shared__ float tile[T][T + 1];
  const int tile_row = blockIdx.x / down;
  const int tile_column = blockIdx.x % across;
  const int x = threadIdx.x, y = threadIdx.y;
  if (tile_row >= down) return;

  {
    const int r = tile_row * T + y;
    const int c = tile_column * T + x;
    if (r < rows && c < columns) tile[y][x] = in[r * columns + c];
  }

  __syncthreads();

  {
    const int r = tile_column * T + y;
    const int c = tile_row * T + x;
    if (r < rows && c < columns) out[r * rows + c] = tile[x][y];
  }
}

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  const int across = (columns + T - 1) / T;
  const int down = (rows + T - 1) / T;
  if (across * down == 0) return;
  transpose_kernel<<<across * down, dim3(T, T)>>>(in, out, rows, columns, across, down);
}
