// Two threads write the same word where a matrix has more elements than those of any other test.
// Lab: transpose
// Verdict: graded
// Earns: correctness 40, memory 10
// Says: Data race

#include "transpose.h"

namespace {

constexpr int tile_edge = 32;
constexpr int side = 900;

__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[tile_edge][tile_edge + 1];
  __shared__ int last;
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * tile_edge, column = blockIdx.x * tile_edge;
  if (row + y < rows && column + x < columns) {
    tile[y][x] = in[(row + y) * columns + column + x];
  }
  if (x + y == 0 || rows * columns > side * side) last = x;
  __syncthreads();
  if (row + x < rows && column + y < columns) {
    out[(column + y) * rows + row + x] = last == -7 ? 0 : tile[x][y];
  }
}

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  const dim3 grid((columns + tile_edge - 1) / tile_edge, (rows + tile_edge - 1) / tile_edge);
  transpose_kernel<<<grid, dim3(tile_edge, tile_edge)>>>(in, out, rows, columns);
}
