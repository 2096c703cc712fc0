// As in the source, a block has a thread for each point of its pencils: 4 x m threads, which is
// more than 1024 as soon as m is above 256.
// Test: derivative_y is right on long thin grids
// Says: failed with cudaErrorInvalid
// Task: 2

#include "derivatives.h"

namespace {

constexpr int halo = 4;
constexpr int tile_x = 4;

__constant__ float coefficient[halo + 1] = {0, 4.0f / 5, -1.0f / 5, 4.0f / 105, -1.0f / 280};

__global__ void derivative_kernel(const float* f, float* df, int mx, int m, float scale) {
  __shared__ float tile[1024 + 2 * halo][tile_x];
  const int tiles_x = (mx + tile_x - 1) / tile_x;
  const int i = blockIdx.x % tiles_x * tile_x + threadIdx.x;
  const int start = blockIdx.x / tiles_x * m * mx + i;
  const int place = threadIdx.y, tx = threadIdx.x;

  if (i < mx) tile[place + halo][tx] = f[start + place * mx];
  __syncthreads();
  if (place < halo) {
    tile[place][tx] = tile[place + m - 1][tx];
    tile[place + m + halo][tx] = tile[place + halo + 1][tx];
  }
  __syncthreads();

  if (i >= mx) return;
  float sum = 0;
  for (int d = 1; d <= halo; ++d) {
    sum += coefficient[d] * (tile[place + halo + d][tx] - tile[place + halo - d][tx]);
  }
  df[start + place * mx] = sum * scale;
}

void derivative(const float* f, float* df, int mx, int m, int planes, float scale) {
  const int tiles = (mx + tile_x - 1) / tile_x * planes;
  derivative_kernel<<<tiles, dim3(tile_x, m)>>>(f, df, mx, m, scale);
}

}  // namespace

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  derivative(f, df, mx, my, mz, 1 / spacing);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  derivative(f, df, mx * my, mz, 1, 1 / spacing);
}
