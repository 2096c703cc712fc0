// CAUSE: `place` is unsigned. In the first tile the places -4 to -1 become numbers of about 4 billion, which the guard takes for places right of the grid, so the halo left of the grid is not loaded.
// LINES: 32
// REPAIR: `const unsigned place` -> `const int place` (line 32)
// GOOD HINT: What is the value of `place` for r = 0 in the first tile, with the type that you gave it? What does your guard make of it?
// SYMPTOM: Uninitialized slots of the tile are read: wrong at the first four points of each pencil, j < 4.
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

  const unsigned tiles_x = (mx + tile_x - 1) / tile_x;
  const unsigned tiles_y = (my + tile_y - 1) / tile_y;
  const unsigned i = blockIdx.x % tiles_x * tile_x + threadIdx.x;
  const unsigned first = blockIdx.x / tiles_x % tiles_y * tile_y;
  const unsigned plane = blockIdx.x / tiles_x / tiles_y * my * mx;

  for (unsigned r = threadIdx.y; r < halo + tile_y + halo; r += block_y) {
    const unsigned place = first + r - halo;
    if (i < mx && place < my + halo) tile[r][threadIdx.x] = f[plane + wrap(place, my) * mx + i];
  }
  __syncthreads();

  for (unsigned p = threadIdx.y; p < tile_y; p += block_y) {
    const unsigned j = first + p;
    if (i < mx && j < my) {
      float sum = 0;
      for (int d = 1; d <= halo; ++d) {
        sum += coefficient[d] * (tile[p + halo + d][threadIdx.x] - tile[p + halo - d][threadIdx.x]);
      }
      df[plane + j * mx + i] = sum * scale;
    }
  }
}

}  // namespace

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  const unsigned tiles_x = (mx + tile_x - 1) / tile_x;
  const unsigned tiles_y = (my + tile_y - 1) / tile_y;
  derivative_y_kernel<<<tiles_x * tiles_y * mz, dim3(block_x, block_y)>>>(f, df, mx, my, 1 / spacing);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  derivative_y(f, df, mx * my, mz, 1, spacing);
}
