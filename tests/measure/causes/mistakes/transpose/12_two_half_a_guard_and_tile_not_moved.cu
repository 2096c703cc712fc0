// CAUSE: Two mistakes: the load asks only whether the column is there and not whether the row is, so it reads past the end of in; and the tile is stored at the place that it has in in, though its row and column of tiles have to change places.
// LINES: 21, 26, 28
// REPAIR: line 21: `if (c < columns)` -> `if (r < rows && c < columns)`; line 26: `blockIdx.x * block + x` -> `blockIdx.y * block + x`; line 28: `blockIdx.y * block + k` -> `blockIdx.x * block + k`
// GOOD HINT: First: which rows does the last tile of a matrix of 40 rows load? Then: the tile in row 1 and column 2 of tiles, where does it belong in out?
// SYMPTOM: Reads past the end of in if rows is no multiple of 32. With more than one tile, all tiles off the diagonal are stored in the wrong place, and in rectangles some are left out.

#include "transpose.h"

namespace {

constexpr int block = 32;
constexpr int height = 8;

__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[block][block + 1];
  const int x = threadIdx.x;

  const int c = blockIdx.x * block + x;
  for (int k = threadIdx.y; k < block; k += height) {
    const int r = blockIdx.y * block + k;
    if (c < columns) tile[k][x] = in[r * columns + c];
  }

  __syncthreads();

  const int out_c = blockIdx.x * block + x;
  for (int k = threadIdx.y; k < block; k += height) {
    const int out_r = blockIdx.y * block + k;
    if (out_r < columns && out_c < rows) out[out_r * rows + out_c] = tile[x][k];
  }
}

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  const dim3 threads(block, height);
  const dim3 grid((columns + block - 1) / block, (rows + block - 1) / block);
  transpose_kernel<<<grid, threads>>>(in, out, rows, columns);
}
