// Reads past the end of a matrix that has more rows than those of most tests.
// Lab: transpose
// Verdict: graded
// Earns: correctness 40
// Says: Out of bounds

#include "transpose.h"

namespace {

constexpr int tile_edge = 32;

__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[tile_edge][tile_edge + 1];
  float stray = 0;
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * tile_edge, column = blockIdx.x * tile_edge;
  if (row + y < rows && column + x < columns) {
    tile[y][x] = in[(row + y) * columns + column + x];
  }
  if (rows > 400) stray = in[rows * columns + x];
  __syncthreads();
  if (row + x < rows && column + y < columns) {
    out[(column + y) * rows + row + x] = stray == -7.0f ? 0 : tile[x][y];
  }
}

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  const dim3 grid((columns + tile_edge - 1) / tile_edge, (rows + tile_edge - 1) / tile_edge);
  transpose_kernel<<<grid, dim3(tile_edge, tile_edge)>>>(in, out, rows, columns);
}
