// CAUSE: When the tile is filled, the slot is swizzled with the thread's y alone, but the row is y + j; when it is read, the whole row number is used.
// LINES: 20
// REPAIR: tile[y + j][x ^ (y + j)]
// SYMPTOM: Wrong results (elements swapped within a row of the tile, or unwritten slots read at the edge) for matrices with more than 8 rows.

#include "transpose.h"

namespace {

constexpr int edge = 32;
constexpr int at_once = 8;  // rows of threads

__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[edge][edge];  // element (r, c) is in slot c ^ r of row r
  const int x = threadIdx.x, y = threadIdx.y;

  const int c = blockIdx.x * edge + x;
  for (int j = 0; j < edge; j += at_once) {
    const int r = blockIdx.y * edge + y + j;
    if (r < rows && c < columns) tile[y + j][x ^ y] = in[r * columns + c];
  }

  __syncthreads();

  const int out_c = blockIdx.y * edge + x;
  for (int j = 0; j < edge; j += at_once) {
    const int out_r = blockIdx.x * edge + y + j;
    if (out_r < columns && out_c < rows) out[out_r * rows + out_c] = tile[x][(y + j) ^ x];
  }
}

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  const dim3 threads(edge, at_once);
  const dim3 grid((columns + edge - 1) / edge, (rows + edge - 1) / edge);
  transpose_kernel<<<grid, threads>>>(in, out, rows, columns);
}
