// CAUSE: The neighbors on one side are all multiplied and added up first, and those on the other side are taken away afterwards. Because of rounding that leaves something where the field is constant, though the contract wants exactly 0.
// LINES: 44, 45
// REPAIR: `tile[slot + d][column];` -> `(tile[slot + d][column] - tile[slot - d][column]);` (line 44); and delete `for (int d = 1; d <= halo; ++d) sum -= coefficient[d] * tile[slot - d][column];` (line 45)
// GOOD HINT: What does your sum give, with rounding, where all eight neighbors are equal? derivatives.h says what has to come first.
// SYMPTOM: Nearly right everywhere (error of a few roundings), but not exactly 0 on fields that are constant along the axis.
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

  const int column = threadIdx.x;
  const int tiles_x = (mx + tile_x - 1) / tile_x;
  const int tiles_y = (my + tile_y - 1) / tile_y;
  const int i = blockIdx.x % tiles_x * tile_x + column;
  const int first = blockIdx.x / tiles_x % tiles_y * tile_y;
  const int k = blockIdx.x / tiles_x / tiles_y;

  for (int slot = threadIdx.y; slot < halo + tile_y + halo; slot += block_y) {
    const int place = first + slot - halo;
    if (i < mx && place < my + halo) {
      tile[slot][column] = f[(k * my + wrap(place, my)) * mx + i];
    }
  }
  __syncthreads();

  for (int slot = halo + threadIdx.y; slot < halo + tile_y; slot += block_y) {
    const int j = first + slot - halo;
    if (i < mx && j < my) {
      float sum = 0;
      for (int d = 1; d <= halo; ++d) sum += coefficient[d] * tile[slot + d][column];
      for (int d = 1; d <= halo; ++d) sum -= coefficient[d] * tile[slot - d][column];
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
