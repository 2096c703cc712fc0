// CAUSE: The guard of the store is copied from the load, but row and column now belong to out, which has `columns` rows and `rows` columns.
// LINES: 27
// REPAIR: if (row < columns && column < rows) {
// SYMPTOM: With rectangular matrices some elements are never written and others are written outside out.

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
  if (row < rows && column < columns) {
    out[row * rows + column] = tile[tx][ty];
  }
}

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  const dim3 block(kTile, kTile);
  const dim3 grid((columns + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  transpose_kernel<<<grid, block>>>(in, out, rows, columns);
}
