// CAUSE: Tiles are numbered along a row of tiles_x first. The number of the row is tile / tiles_x, but it is divided by tiles_y.
// LINES: 18
// REPAIR: line 18: `const int tile_row = blockIdx.x / tiles_y;` -> `const int tile_row = blockIdx.x / tiles_x;`
// SYMPTOM: Wrong where the matrix has not as many rows of tiles as columns of tiles.

#include "transpose.h"

namespace {

constexpr int edge = 32;

__device__ bool within(int value, int limit) { return value < limit; }

__global__ void transpose_tiles(const float* __restrict__ in, float* __restrict__ out, int rows,
                                int columns, int tiles_x, int tiles_y) {
  __shared__ float tile[edge * (edge + 1)];
  const int tile_column = blockIdx.x % tiles_x;
  const int tile_row = blockIdx.x / tiles_y;
  const int tx = threadIdx.x % edge;
  const int ty = threadIdx.x / edge;

  const int r = tile_row * edge + ty;
  const int c = tile_column * edge + tx;
  if (within(r, rows) && within(c, columns)) {
    tile[ty * (edge + 1) + tx] = in[r * columns + c];
  }
  __syncthreads();

  const int out_r = tile_column * edge + ty;
  const int out_c = tile_row * edge + tx;
  if (within(out_r, columns) && within(out_c, rows)) {
    out[out_r * rows + out_c] = tile[tx * (edge + 1) + ty];
  }
}

int tiles_along(int length) { return (length + edge - 1) / edge; }

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows < 1 || columns < 1) return;
  const int tiles_x = tiles_along(columns);
  const int tiles_y = tiles_along(rows);
  transpose_tiles<<<tiles_x * tiles_y, edge * edge>>>(in, out, rows, columns, tiles_x, tiles_y);
}
