// One block far from the edges goes past the barrier, where a matrix has many tiles.
// Lab: transpose
// Verdict: graded
// Earns: correctness 26.67
// Says: Data race

#include "transpose.h"

namespace {

constexpr int tile_edge = 32;

__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[tile_edge][tile_edge + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * tile_edge, column = blockIdx.x * tile_edge;
  if (row + y < rows && column + x < columns) {
    tile[y][x] = in[(row + y) * columns + column + x];
  }
  const bool is_far = gridDim.x * gridDim.y > 2 * tile_edge && blockIdx.x == gridDim.x / 3 &&
                      blockIdx.y == gridDim.y / 3;
  if (!is_far) __syncthreads();
  if (row + x < rows && column + y < columns) {
    out[(column + y) * rows + row + x] = tile[x][y];
  }
}

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  const dim3 grid((columns + tile_edge - 1) / tile_edge, (rows + tile_edge - 1) / tile_edge);
  transpose_kernel<<<grid, dim3(tile_edge, tile_edge)>>>(in, out, rows, columns);
}
