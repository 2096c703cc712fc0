// CAUSE: The tile has room for one halo of four rows, but it needs one at either end: 72 rows, not 68.
// LINES: 23
// REPAIR: `[tile_y + halo]` -> `[tile_y + 2 * halo]` (line 23)
// GOOD HINT: How many rows does your loop load, and how many does the array have? Look at the picture of the tile.
// SYMPTOM: Rows 68 to 71 are outside of the tile: shared memory accessed out of bounds in every tile with more than 60 points and halo (my > 60); crash or wrong values there. Smaller grids are right.
// Derivatives along y and z with a tile in shared memory.

#include "derivatives.h"

constexpr int halo = 4;                  // on either side
constexpr int tile_x = 32, tile_y = 64;  // 32 pencils, 64 points of each
constexpr int block_x = 32, block_y = 8;

__constant__ float coefficient[halo + 1] = {0, 4.0f / 5, -1.0f / 5, 4.0f / 105, -1.0f / 280};

__device__ int wrap(int place, int m) {
  if (place < 0) return place + (m - 1);
  if (place >= m) return place - (m - 1);
  return place;
}

__global__ void derivative_y_kernel(const float* f, float* df, int mx, int my, float scale) {
  __shared__ float tile[tile_y + halo][tile_x];

  const int tiles_x = (mx + tile_x - 1) / tile_x;
  const int tiles_y = (my + tile_y - 1) / tile_y;
  const int x = threadIdx.x;
  const int i = blockIdx.x % tiles_x * tile_x + x;
  const int begin = blockIdx.x / tiles_x % tiles_y * tile_y - halo;  // where the halo begins
  const int k = blockIdx.x / tiles_x / tiles_y;

  // nine rows for each thread
  for (int n = 0; n < 9; n++) {
    const int r = n * block_y + threadIdx.y;
    const int j = begin + r;
    if (i < mx && j < my + halo) {
      tile[r][x] = f[(k * my + wrap(j, my)) * mx + i];
    }
  }

  __syncthreads();

  // eight points for each thread
  for (int n = 0; n < 8; n++) {
    const int r = n * block_y + threadIdx.y + halo;
    const int j = begin + r;
    if (i < mx && j < my) {
      float sum = coefficient[1] * (tile[r + 1][x] - tile[r - 1][x]);
      sum += coefficient[2] * (tile[r + 2][x] - tile[r - 2][x]);
      sum += coefficient[3] * (tile[r + 3][x] - tile[r - 3][x]);
      sum += coefficient[4] * (tile[r + 4][x] - tile[r - 4][x]);
      df[(k * my + j) * mx + i] = sum * scale;
    }
  }
}

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  const int tiles_x = (mx + tile_x - 1) / tile_x;
  const int tiles_y = (my + tile_y - 1) / tile_y;
  dim3 block(block_x, block_y);
  derivative_y_kernel<<<tiles_x * tiles_y * mz, block>>>(f, df, mx, my, 1.0f / spacing);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  derivative_y(f, df, mx * my, mz, 1, spacing);
}
