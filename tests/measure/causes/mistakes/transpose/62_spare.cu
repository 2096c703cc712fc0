// CAUSE: The spare line of the tile is a row instead of a column, so all elements of a column are still in the same bank.
// LINES: 13
// REPAIR: __shared__ float tile[TILE][TILE + 1];
// SYMPTOM: The result is right, but reading a column of the tile takes 32 wavefronts: the half of the memory points for a tile without conflicts is lost, and speed.

#include "transpose.h"

namespace {

constexpr int TILE = 32;

__global__ void transposeKernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[TILE + 1][TILE];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;

  int col = blockIdx.x * TILE + tx;
  int row = blockIdx.y * TILE + ty;
  if (row < rows && col < columns) {
    tile[ty][tx] = in[row * columns + col];
  }

  __syncthreads();

  // the place of the tile in out
  col = blockIdx.y * TILE + tx;
  row = blockIdx.x * TILE + ty;
  if (row < columns && col < rows) {
    out[row * rows + col] = tile[tx][ty];
  }
}

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  const int across = (columns + TILE - 1) / TILE;
  const int down = (rows + TILE - 1) / TILE;
  if (across > 0 && down > 0) {
    transposeKernel<<<dim3(across, down), dim3(TILE, TILE)>>>(in, out, rows, columns);
  }
}
