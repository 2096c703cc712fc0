// CAUSE: A row of out has `rows` elements, but the index is computed with the length of a row of in.
// LINES: 28
// REPAIR: out[row * rows + column] = tile[tx][ty];
// SYMPTOM: Square matrices are right; in all others the elements land in wrong places, or outside the array.

#include "transpose.h"

namespace {

constexpr int kTile = 32;

__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[kTile][kTile + 1];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;

  int column = blockIdx.x * kTile + tx;
  int row = blockIdx.y * kTile + ty;
  if (row < rows && column < columns) {
    tile[ty][tx] = in[row * columns + column];
  }
  __syncthreads();

  // the block's tile in `out` has x and y exchanged
  row = blockIdx.x * kTile + ty;
  column = blockIdx.y * kTile + tx;
  if (row < columns && column < rows) {
    out[row * columns + column] = tile[tx][ty];
  }
}

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  const dim3 block(kTile, kTile);
  const dim3 grid((columns + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  transpose_kernel<<<grid, block>>>(in, out, rows, columns);
}
