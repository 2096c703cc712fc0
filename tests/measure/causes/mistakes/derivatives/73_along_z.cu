// CAUSE: derivative_z only exchanges my and mz. But then neighbors are still taken mx apart, as along y; along z they are mx * my apart, so the rows have mx * my points and there is one plane.
// LINES: 57
// REPAIR: derivative_y(f, df, mx * my, mz, 1, spacing);
// SYMPTOM: derivative_y is right, and derivative_z is wrong nearly everywhere.
#include "derivatives.h"

namespace {

constexpr int halo = 4;                   // neighbors on either side
constexpr int tile_x = 32, tile_y = 64;   // a tile: 32 pencils, 64 points of each
constexpr int block_x = 32, block_y = 8;  // a thread has every eighth point of its pencil

__constant__ float coefficient[halo + 1] = {0, 4.0f / 5, -1.0f / 5, 4.0f / 105, -1.0f / 280};

__device__ int wrap(int place, int m) {
  const int period = m - 1;
  if (place < 0) place += period;
  if (place >= m) place -= period;
  return place;
}

__global__ void derivative_y_kernel(const float* f, float* df, int mx, int my, float scale) {
  __shared__ float tile[halo + tile_y + halo][tile_x];
  const int x = threadIdx.x, y = threadIdx.y;

  const int tiles_x = (mx + tile_x - 1) / tile_x, tiles_y = (my + tile_y - 1) / tile_y;
  const int i = blockIdx.x % tiles_x * tile_x + x;
  const int first = blockIdx.x / tiles_x % tiles_y * tile_y;
  const int k = blockIdx.x / tiles_x / tiles_y;

  for (int r = y; r < halo + tile_y + halo; r += block_y) {
    const int place = first + r - halo;
    if (i < mx && place < my + halo) tile[r][x] = f[(k * my + wrap(place, my)) * mx + i];
  }
  __syncthreads();

  if (i >= mx) return;
  for (int r = y + halo; r < halo + tile_y; r += block_y) {
    const int j = first + r - halo;
    if (j >= my) break;
    float sum = 0;
    for (int d = halo; d >= 1; --d) sum += coefficient[d] * (tile[r + d][x] - tile[r - d][x]);
    df[(k * my + j) * mx + i] = sum * scale;
  }
}

}  // namespace

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  const int tiles_x = (mx + tile_x - 1) / tile_x, tiles_y = (my + tile_y - 1) / tile_y;
  const float scale = 1 / spacing;
  derivative_y_kernel<<<tiles_x * tiles_y * mz, dim3(block_x, block_y)>>>(f, df, mx, my, scale);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  // z takes the place of y
  derivative_y(f, df, mx, mz, my, spacing);
}
