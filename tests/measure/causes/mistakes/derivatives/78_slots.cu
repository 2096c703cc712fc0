// CAUSE: The loop that loads the tile leaves out the halo at its far end.
// LINES: 32
// REPAIR: for (int r = threadIdx.y; r < halo + tile_y + halo; r += block_y) {
// SYMPTOM: The last four points of a full tile are computed from slots that nobody has filled.

#include "derivatives.h"

namespace {

constexpr int halo = 4;
constexpr int tile_x = 32, tile_y = 64;
constexpr int block_x = 32, block_y = 8;

__constant__ float coefficient[halo + 1] = {0, 4.0f / 5, -1.0f / 5, 4.0f / 105, -1.0f / 280};

__device__ int wrap(int place, int m) {
  if (place < 0) return place + m - 1;
  if (place >= m) return place - (m - 1);
  return place;
}

__global__ void derivative_y_kernel(const float* f, float* df, int mx, int my, float scale) {
  __shared__ float tile[halo + tile_y + halo][tile_x];

  const int tiles_x = (mx + tile_x - 1) / tile_x;
  const int tiles_y = (my + tile_y - 1) / tile_y;
  const int i = blockIdx.x % tiles_x * tile_x + threadIdx.x;
  const int first = blockIdx.x / tiles_x % tiles_y * tile_y;
  const int k = blockIdx.x / (tiles_x * tiles_y);
  const int plane = k * my * mx;

  for (int r = threadIdx.y; r < halo + tile_y; r += block_y) {
    const int place = first + r - halo;
    if (i < mx && place < my + halo) tile[r][threadIdx.x] = f[plane + wrap(place, my) * mx + i];
  }
  __syncthreads();

  for (int r = threadIdx.y; r < tile_y; r += block_y) {
    const int j = first + r;
    if (i < mx && j < my) {
      float sum = 0;
      for (int d = 1; d <= halo; ++d) {
        sum += coefficient[d] * (tile[halo + r + d][threadIdx.x] - tile[halo + r - d][threadIdx.x]);
      }
      df[plane + j * mx + i] = sum * scale;
    }
  }
}

}  // namespace

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  const int tiles_x = (mx + tile_x - 1) / tile_x;
  const int tiles_y = (my + tile_y - 1) / tile_y;
  const int blocks = tiles_x * tiles_y * mz;
  derivative_y_kernel<<<blocks, dim3(block_x, block_y)>>>(f, df, mx, my, 1 / spacing);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  derivative_y(f, df, mx * my, mz, 1, spacing);
}
