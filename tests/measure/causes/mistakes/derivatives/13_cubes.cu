// CAUSE: Two mistakes. (1) wrap() is told mx as the length of the pencil, but the pencils lie along y and have my points. (2) The launch rounds the number of tiles along y down, while the kernel rounds it up, so there are too few blocks and the last tiles have none.
// LINES: 35, 55
// REPAIR: `wrap(j, mx)` -> `wrap(j, my)` (line 35); and `my / tile_y` -> `(my + tile_y - 1) / tile_y` (line 55)
// GOOD HINT: (1) How many points does one of your pencils have, and which number do you give to wrap()? (2) How many tiles does your launch have for my = 100, and how many does the kernel count with?
// SYMPTOM: (1) Wrong at the ends of the pencils (or all over) wherever mx and my differ, also reads past the end of f. (2) Wherever my is no multiple of 64: the last tiles (with many planes, whole planes at the end) are not written; for my < 64 the launch has no blocks and fails.
#include "derivatives.h"

namespace {

constexpr int halo = 4;
constexpr int tile_x = 32, tile_y = 64;
constexpr int block_x = 32, block_y = 8;

__constant__ float coefficient[halo + 1] = {0, 4.0f / 5, -1.0f / 5, 4.0f / 105, -1.0f / 280};

__device__ int wrap(int place, int m) {
  const int period = m - 1;
  if (place < 0) return place + period;
  if (place >= m) return place - period;
  return place;
}

__global__ void derivative_y_kernel(const float* f, float* df, int mx, int my, float scale) {
  __shared__ float tile[halo + tile_y + halo][tile_x];

  const int tiles_x = (mx + tile_x - 1) / tile_x;
  const int tiles_y = (my + tile_y - 1) / tile_y;
  const int i = blockIdx.x % tiles_x * tile_x + threadIdx.x;
  const int first = blockIdx.x / tiles_x % tiles_y * tile_y;
  const int k = blockIdx.x / tiles_x / tiles_y;

  for (int r = threadIdx.y; r < halo + tile_y + halo; r += block_y) {
    const int j = first + r - halo;
    if (i < mx && j < my + halo) {
      tile[r][threadIdx.x] = f[(k * my + wrap(j, mx)) * mx + i];
    }
  }
  __syncthreads();

  for (int p = threadIdx.y; p < tile_y; p += block_y) {
    const int j = first + p;
    if (i < mx && j < my) {
      float sum = 0;
      for (int d = 1; d <= halo; ++d) {
        sum += coefficient[d] * (tile[halo + p + d][threadIdx.x] - tile[halo + p - d][threadIdx.x]);
      }
      df[(k * my + j) * mx + i] = sum * scale;
    }
  }
}

}  // namespace

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  const int tiles = (mx + tile_x - 1) / tile_x * (my / tile_y);
  const float scale = 1 / spacing;
  derivative_y_kernel<<<tiles * mz, dim3(block_x, block_y)>>>(f, df, mx, my, scale);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  derivative_y(f, df, mx * my, mz, 1, spacing);
}
