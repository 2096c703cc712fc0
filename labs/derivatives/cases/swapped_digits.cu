// One line of this file is at fault: `./tilelab detective derivatives swapped_digits`.

#include "derivatives.h"

namespace {

constexpr int halo = 4;
constexpr int tile_x = 32, tile_m = 64;
constexpr int block_y = 8;

__constant__ float coefficient[halo + 1] = {0, 4.0f / 5, -1.0f / 5, 4.0f / 105, -1.0f / 208};

__device__ int wrap(int place, int m) {
  if (place < 0) return place + (m - 1);
  if (place >= m) return place - (m - 1);
  return place;
}

__global__ void derivative_kernel(const float* f, float* df, int mx, int m, float scale) {
  __shared__ float tile[halo + tile_m + halo][tile_x];
  const int tiles_x = (mx + tile_x - 1) / tile_x, tiles_m = (m + tile_m - 1) / tile_m;
  const int i = blockIdx.x % tiles_x * tile_x + threadIdx.x;
  const int first = blockIdx.x / tiles_x % tiles_m * tile_m;
  const int start = blockIdx.x / tiles_x / tiles_m * m * mx + i;

  for (int r = threadIdx.y; r < halo + tile_m + halo; r += block_y) {
    const int place = first + r - halo;
    if (i < mx && place < m + halo) tile[r][threadIdx.x] = f[start + wrap(place, m) * mx];
  }
  __syncthreads();

  for (int row = threadIdx.y; row < tile_m; row += block_y) {
    if (i >= mx || first + row >= m) continue;
    const float* own = &tile[row + halo][threadIdx.x];
    float sum = 0;
    for (int d = 1; d <= halo; ++d) {
      sum += coefficient[d] * (own[d * tile_x] - own[-d * tile_x]);
    }
    df[start + (first + row) * mx] = sum * scale;
  }
}

void derivative(const float* f, float* df, int mx, int m, int planes, float scale) {
  const int tiles = (mx + tile_x - 1) / tile_x * ((m + tile_m - 1) / tile_m) * planes;
  derivative_kernel<<<tiles, dim3(tile_x, block_y)>>>(f, df, mx, m, scale);
}

}  // namespace

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  derivative(f, df, mx, my, mz, 1 / spacing);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  derivative(f, df, mx * my, mz, 1, 1 / spacing);
}
