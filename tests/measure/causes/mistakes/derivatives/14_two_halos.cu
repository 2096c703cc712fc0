// CAUSE: The right halo is put into the tile four rows too early. The tile's own points begin at row `halo`, so the row after the last of them is halo + tile_y, not tile_y.
// LINES: 45
// REPAIR: `tile[tile_y + h]` -> `tile[halo + tile_y + h]` (line 45)
// GOOD HINT: Draw the rows of your tile. In which row is the point first + 63, and in which row has first + 64 to be?
// SYMPTOM: In every tile that is full, the last rows of points are overwritten (two threads write to the same slot: race) and rows 68 to 71 are never set; wrong from about the 57th point of a tile of 64. Small grids (my <= 60) are right.
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
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int i = blockIdx.x % tiles_x * tile_x + tx;
  const int first = blockIdx.x / tiles_x % tiles_y * tile_y;
  const int k = blockIdx.x / tiles_x / tiles_y;

  if (i < mx) {
    const float* pencil = f + k * my * mx + i;
    // the tile
    for (int p = ty; p < tile_y && first + p < my + halo; p += block_y) {
      tile[halo + p][tx] = pencil[wrap(first + p, my) * mx];
    }
    if (ty < halo) {
      // 4 rows of threads load the left halo
      tile[ty][tx] = pencil[wrap(first - halo + ty, my) * mx];
    } else {
      // and the other 4 the right one
      const int h = ty - halo;
      const int place = first + tile_y + h;
      if (place < my + halo) tile[tile_y + h][tx] = pencil[wrap(place, my) * mx];
    }
  }
  __syncthreads();

  for (int p = ty; p < tile_y; p += block_y) {
    const int j = first + p;
    if (i < mx && j < my) {
      float sum = 0;
      for (int d = 1; d <= halo; ++d) {
        sum += coefficient[d] * (tile[halo + p + d][tx] - tile[halo + p - d][tx]);
      }
      df[(k * my + j) * mx + i] = sum * scale;
    }
  }
}

}  // namespace

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  const int tiles_x = (mx + tile_x - 1) / tile_x;
  const int tiles_y = (my + tile_y - 1) / tile_y;
  const dim3 block(block_x, block_y);
  derivative_y_kernel<<<tiles_x * tiles_y * mz, block>>>(f, df, mx, my, 1 / spacing);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  derivative_y(f, df, mx * my, mz, 1, spacing);
}
