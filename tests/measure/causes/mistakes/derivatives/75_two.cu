// CAUSE: (1) The kernel multiplies by scale, but it is given the spacing itself instead of 1 / spacing. (2) The store is only guarded along x, so the last tile of a pencil also stores places past its end.
// LINES: 44 50 60
// REPAIR: (1) derivative_y_kernel<<<tiles, threads>>>(f, df, mx, my, 1 / spacing); or multiply by 1 / spacing otherwise, such as sum / scale; (2) if (i < mx && first + row < my) {
// SYMPTOM: All derivatives are too small or too large by spacing squared; and if the number of points is no multiple of 64, values are stored over those of the next plane and past the end of df (and uninitialized slots are read).
#include "derivatives.h"

namespace {

constexpr int halo = 4;
constexpr int width = 32, length = 64;
constexpr int block_y = 8;

__device__ int wrap(int place, int m) {
  if (place < 0) {
    return place + m - 1;
  } else if (place > m - 1) {
    return place - m + 1;
  }
  return place;
}

__global__ void derivative_y_kernel(const float* f, float* df, int mx, int my, float scale) {
  __shared__ float tile[length + 2 * halo][width];

  const int x = threadIdx.x;
  const int tiles_x = (mx + width - 1) / width;
  const int tiles_y = (my + length - 1) / length;
  const int k = blockIdx.x / (tiles_x * tiles_y);
  const int in_plane = blockIdx.x % (tiles_x * tiles_y);
  const int first = in_plane / tiles_x * length;
  const int i = in_plane % tiles_x * width + x;

  for (int slot = threadIdx.y; slot < length + 2 * halo; slot += block_y) {
    const int place = first + slot - halo;
    if (i < mx && place < my + halo) {
      const int j = wrap(place, my);
      tile[slot][x] = f[(k * my + j) * mx + i];
    }
  }

  __syncthreads();

  for (int row = threadIdx.y; row < length; row += block_y) {
    if (i < mx) {
      const int s = row + halo;
      float sum = 4.0f / 5 * (tile[s + 1][x] - tile[s - 1][x]);
      sum -= 1.0f / 5 * (tile[s + 2][x] - tile[s - 2][x]);
      sum += 4.0f / 105 * (tile[s + 3][x] - tile[s - 3][x]);
      sum -= 1.0f / 280 * (tile[s + 4][x] - tile[s - 4][x]);
      df[(k * my + first + row) * mx + i] = sum * scale;
    }
  }
}

}  // namespace

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  const int tiles = ((mx + width - 1) / width) * ((my + length - 1) / length) * mz;
  const dim3 threads(width, block_y);
  derivative_y_kernel<<<tiles, threads>>>(f, df, mx, my, spacing);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  derivative_y(f, df, mx * my, mz, 1, spacing);
}
