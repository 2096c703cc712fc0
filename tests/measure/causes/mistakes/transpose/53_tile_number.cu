// CAUSE: The tiles are counted row by row, so the row of tiles is b / tiles_across and the column b % tiles_across; the row is computed with tiles_down instead.
// LINES: 17
// REPAIR: line 17: `const int first_row = b / tiles_down * TILE;` -> `const int first_row = b / tiles_across * TILE;`
// SYMPTOM: Right for square matrices and for those with as many tiles down as across; for others some tiles are done twice or not at all, so parts of out are never written.
#include "transpose.h"

static const int TILE = 32;
static const int THREADS = 256;

// 1-D blocks and a 1-D grid, everything else is computed from the number of the thread.
static __global__ void transpose_tiles(const float* __restrict__ in, float* __restrict__ out,
                                       int rows, int columns) {
  __shared__ float tile[TILE * (TILE + 1)];
  const int tiles_across = (columns + TILE - 1) / TILE;
  const int tiles_down = (rows + TILE - 1) / TILE;
  const int b = blockIdx.x;
  const int first_row = b / tiles_down * TILE;
  const int first_column = b % tiles_across * TILE;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;

  for (int i = warp; i < TILE; i += THREADS / 32) {
    const int r = first_row + i, c = first_column + lane;
    if (r < rows && c < columns) tile[i * (TILE + 1) + lane] = in[(size_t)r * columns + c];
  }
  __syncthreads();
  for (int i = warp; i < TILE; i += THREADS / 32) {
    const int r = first_column + i, c = first_row + lane;
    if (r < columns && c < rows) out[(size_t)r * rows + c] = tile[lane * (TILE + 1) + i];
  }
}

void transpose(const float* in, float* out, int rows, int columns) {
  const int tiles = ((columns + TILE - 1) / TILE) * ((rows + TILE - 1) / TILE);
  if (tiles == 0) return;
  transpose_tiles<<<tiles, THREADS>>>(in, out, rows, columns);
}
