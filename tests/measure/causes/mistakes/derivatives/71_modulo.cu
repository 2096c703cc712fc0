// CAUSE: The place is wrapped with the period m, but the last point of a pencil repeats the first, so the period is m - 1 (and a place within the grid stays as it is).
// LINES: 16
// REPAIR: return place < 0 ? place + (m - 1) : place >= m ? place - (m - 1) : place;
// SYMPTOM: Wrong derivatives at the first four and the last four points of each pencil; right elsewhere.
#include "derivatives.h"

namespace {

constexpr int halo = 4;
constexpr int tile_x = 32, tile_y = 64;
constexpr int block_x = 32, block_y = 8;

__constant__ float coefficient[halo + 1] = {0, 4.0f / 5, -1.0f / 5, 4.0f / 105, -1.0f / 280};

__device__ int wrap(int place, int m) {
  return (place + m) % m;
}

__global__ void derivative_y_kernel(const float* f, float* df, int mx, int my, float scale) {
  __shared__ float tile[halo + tile_y + halo][tile_x];

  const int tiles_x = (mx + tile_x - 1) / tile_x;
  const int tiles_y = (my + tile_y - 1) / tile_y;
  const int number = blockIdx.x;
  const int i = number % tiles_x * tile_x + threadIdx.x;
  const int first = number / tiles_x % tiles_y * tile_y;
  const int k = number / tiles_x / tiles_y;

  for (int r = threadIdx.y; r < halo + tile_y + halo; r += block_y) {
    const int place = first + r - halo;
    if (i < mx && place < my + halo) {
      tile[r][threadIdx.x] = f[(k * my + wrap(place, my)) * mx + i];
    }
  }
  __syncthreads();

  for (int row = threadIdx.y; row < tile_y; row += block_y) {
    const int j = first + row;
    if (i < mx && j < my) {
      float sum = 0;
      for (int d = 1; d <= halo; ++d) {
        sum += coefficient[d] *
               (tile[row + halo + d][threadIdx.x] - tile[row + halo - d][threadIdx.x]);
      }
      df[(k * my + j) * mx + i] = sum * scale;
    }
  }
}

}  // namespace

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  const int tiles = (mx + tile_x - 1) / tile_x * ((my + tile_y - 1) / tile_y) * mz;
  derivative_y_kernel<<<tiles, dim3(block_x, block_y)>>>(f, df, mx, my, 1 / spacing);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  derivative_y(f, df, mx * my, mz, 1, spacing);
}
