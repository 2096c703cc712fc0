// CAUSE: Row and column of a thread are exchanged: neighboring threads have neighboring rows of the tile, mx apart in memory, instead of points next to each other. A warp touches 8 rows of 4 points, not one row of 32.
// LINES: 31, 32, 58
// REPAIR: `column = threadIdx.y` -> `column = threadIdx.x` (line 31); and `row = threadIdx.x` -> `row = threadIdx.y` (line 32); and `dim3(block_y, block_x)` -> `dim3(block_x, block_y)` (line 58)
// GOOD HINT: Which points of the grid do threads 0, 1 and 2 of a warp load? How far apart are they in memory, and what would make the access coalesced?
// SYMPTOM: Results right; not coalesced: 8 sectors, half of each used, per load or store of a warp instead of 4 full ones; also 8-way bank conflicts in the tile. Slow.
#include "derivatives.h"

namespace {

constexpr int halo = 4;
constexpr int tile_x = 32, tile_y = 64;
constexpr int block_x = 32, block_y = 8;

__constant__ float coefficient[halo + 1] = {0, 4.0f / 5, -1.0f / 5, 4.0f / 105, -1.0f / 280};

__device__ int wrap(int place, int m) {
  if (place < 0) return place + (m - 1);
  if (place >= m) return place - (m - 1);
  return place;
}

__global__ void derivative_y_kernel(const float* f, float* df, int mx, int my, float scale) {
  __shared__ float tile[halo + tile_y + halo][tile_x];

  const int tiles_x = (mx + tile_x - 1) / tile_x;
  const int tiles_y = (my + tile_y - 1) / tile_y;
  const int first_i = blockIdx.x % tiles_x * tile_x;
  const int first_j = blockIdx.x / tiles_x % tiles_y * tile_y;
  const int k = blockIdx.x / tiles_x / tiles_y;

  const int column = threadIdx.y;  // of the tile
  const int row = threadIdx.x;
  const int i = first_i + column;

  for (int r = row; r < halo + tile_y + halo; r += block_y) {
    const int j = first_j + r - halo;
    if (i < mx && j < my + halo) tile[r][column] = f[(k * my + wrap(j, my)) * mx + i];
  }
  __syncthreads();

  for (int r = row; r < tile_y; r += block_y) {
    const int j = first_j + r;
    if (i < mx && j < my) {
      float sum = 0;
      for (int d = 1; d <= halo; ++d) {
        sum += coefficient[d] * (tile[r + halo + d][column] - tile[r + halo - d][column]);
      }
      df[(k * my + j) * mx + i] = sum * scale;
    }
  }
}

}  // namespace

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  const int tiles_x = (mx + tile_x - 1) / tile_x;
  const int tiles_y = (my + tile_y - 1) / tile_y;
  derivative_y_kernel<<<tiles_x * tiles_y * mz, dim3(block_y, block_x)>>>(f, df, mx, my, 1 / spacing);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  derivative_y(f, df, mx * my, mz, 1, spacing);
}
