// CAUSE: The blocks are numbered in one dimension, row of tiles after row of tiles, so both the quotient and the remainder have to be taken by the number of tiles in a row (across). The quotient is taken by the number of tile rows (down), which is the same only when the matrix has as many tiles across as down.
// LINES: 18
// REPAIR: line 18: `const int tileRow = blockIdx.x / down;` -> `const int tileRow = blockIdx.x / across;`
// SYMPTOM: Squares are right; in rectangles whole tiles are missing, others are computed twice or reach outside of the matrix.

#include "transpose.h"

namespace {

constexpr int kTile = 32;

int tilesFor(int length) { return (length + kTile - 1) / kTile; }

__global__ void transposeTiles(const float* in, float* out, int rows, int columns, int across,
                               int down) {
  __shared__ float buf[kTile][kTile + 1];
  const int tileCol = blockIdx.x % across;
  const int tileRow = blockIdx.x / down;
  const int tx = threadIdx.x, ty = threadIdx.y;

  const int row = tileRow * kTile + ty, col = tileCol * kTile + tx;
  if (row < rows && col < columns) buf[ty][tx] = in[row * columns + col];
  __syncthreads();

  const int outRow = tileCol * kTile + ty, outCol = tileRow * kTile + tx;
  if (outRow < columns && outCol < rows) out[outRow * rows + outCol] = buf[tx][ty];
  (void)down;
}

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  const int across = tilesFor(columns), down = tilesFor(rows);
  const int tiles = across * down;
  if (tiles == 0) return;
  const dim3 threads(kTile, kTile);
  transposeTiles<<<tiles, threads>>>(in, out, rows, columns, across, down);
}
