// CAUSE: derivative_z calls the y kernel with my and mz exchanged. That only gives the grid another shape; the neighbors still come from places mx apart, while along z they are mx * my apart.
// LINES: 68
// REPAIR: `mx, mz, my, spacing` -> `mx * my, mz, 1, spacing` (line 68)
// GOOD HINT: How far apart in memory are two neighbors along y, and how far along z? Which argument of your kernel says that distance?
// SYMPTOM: derivative_y right; derivative_z wrong nearly everywhere (also where mx, my and mz are all equal: it then is the derivative along y).
#include "derivatives.h"

namespace {

constexpr int halo = 4;
constexpr int tile_x = 32, tile_y = 64;
constexpr int block_x = 32, block_y = 8;

__constant__ float coefficient[halo + 1] = {0, 4.0f / 5, -1.0f / 5, 4.0f / 105, -1.0f / 280};

__device__ int wrap(int place, int m) {
  if (place < 0) place += m - 1;
  else if (place >= m) place -= m - 1;
  return place;
}

__global__ void derivative_y_kernel(const float* f, float* df, int mx, int my, float scale) {
  __shared__ float tile[halo + tile_y + halo][tile_x];

  int tiles_x = (mx + tile_x - 1) / tile_x;
  int tiles_y = (my + tile_y - 1) / tile_y;
  int rest = blockIdx.x;
  int i = rest % tiles_x * tile_x + threadIdx.x;
  rest /= tiles_x;
  int first = rest % tiles_y * tile_y;
  int k = rest / tiles_y;

  for (int r = threadIdx.y; r < halo + tile_y + halo; r += block_y) {
    int j = first + r - halo;
    if (i < mx && j < my + halo) {
      j = wrap(j, my);
      tile[r][threadIdx.x] = f[(k * my + j) * mx + i];
    }
  }

  __syncthreads();

  for (int p = threadIdx.y; p < tile_y; p += block_y) {
    int j = first + p;
    if (i < mx && j < my) {
      int s = halo + p;
      float sum = 0;
      for (int d = 1; d <= halo; ++d) {
        float up = tile[s + d][threadIdx.x];
        float down = tile[s - d][threadIdx.x];
        sum += coefficient[d] * (up - down);
      }
      df[(k * my + j) * mx + i] = sum * scale;
    }
  }
}

}  // namespace

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  int tiles_x = (mx + tile_x - 1) / tile_x;
  int tiles_y = (my + tile_y - 1) / tile_y;
  int blocks = tiles_x * tiles_y * mz;
  derivative_y_kernel<<<blocks, dim3(block_x, block_y)>>>(f, df, mx, my, 1 / spacing);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  derivative_y(f, df, mx, mz, my, spacing);
}
