// CAUSE: the grid has the tiles of a column in x and those of a row in y, but the kernel takes x for columns
// LINES: 41
// REPAIR: dim3 grid(across, down)
// GOOD HINT: For 1 row and 100 columns, how large is your grid in x?
// SYMPTOM: right for squares, elements missing for others

#include "transpose.h"

namespace {

constexpr int B = 32;

__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[B][B + 1];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;

  int c = blockIdx.x * B + tx;
  int r = blockIdx.y * B + ty;
  if (r < rows && c < columns) {
    tile[ty][tx] = in[r * columns + c];
  }

  __syncthreads();

  // now x runs along a r of out
  int out_col = blockIdx.y * B + tx;
  int out_row = blockIdx.x * B + ty;
  if (out_row < columns && out_col < rows) {
    out[out_row * rows + out_col] = tile[tx][ty];
  }
}

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  dim3 threads(B, B);
  const int across = (columns + B - 1) / B;
  const int down = (rows + B - 1) / B;
  dim3 grid(down, across);
  transpose_kernel<<<grid, threads>>>(in, out, rows, columns);
}
