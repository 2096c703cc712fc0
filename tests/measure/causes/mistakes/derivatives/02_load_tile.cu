// CAUSE: The guard of the load lets only places inside the grid through (j < my). The four places of the halo right of the grid's end are never loaded, although wrap() would say where they are.
// LINES: 35
// REPAIR: `j < my)` -> `j < my + halo)` (line 35)
// GOOD HINT: Which places do the neighbors of the last point of a pencil have? Does your load ever reach wrap() with one of them?
// SYMPTOM: Uninitialized slots of the tile are read: wrong at the last four points of each pencil, j >= my - 4.
#include "derivatives.h"

namespace {

constexpr int halo = 4;                   // neighbors on either side
constexpr int tile_x = 32, tile_y = 64;   // a tile: 32 pencils, 64 points of each
constexpr int block_x = 32, block_y = 8;  // a thread has every eighth point of its pencil

// coefficient[d] belongs to the neighbors at distance d.
__constant__ float coefficient[halo + 1] = {0, 4.0f / 5, -1.0f / 5, 4.0f / 105, -1.0f / 280};

__device__ int wrap(int place, int m) {
  if (place < 0) return place + (m - 1);
  if (place >= m) return place - (m - 1);
  return place;
}

__global__ void derivative_y_kernel(const float* f, float* df, int mx, int my, float scale) {
  __shared__ float tile[halo + tile_y + halo][tile_x];

  const int tiles_x = (mx + tile_x - 1) / tile_x;
  const int tiles_y = (my + tile_y - 1) / tile_y;
  const int i = (blockIdx.x % tiles_x) * tile_x + threadIdx.x;
  const int first = (blockIdx.x / tiles_x) % tiles_y * tile_y;
  const int k = blockIdx.x / tiles_x / tiles_y;

  for (int r = threadIdx.y; r < tile_y + 2 * halo; r += block_y) {
    const int j = first + r - halo;
    // the last tiles may reach past the grid
    if (i < mx && j < my) {
      tile[r][threadIdx.x] = f[(k * my + wrap(j, my)) * mx + i];
    }
  }

  __syncthreads();

  for (int r = threadIdx.y + halo; r < tile_y + halo; r += block_y) {
    const int j = first + r - halo;
    if (i < mx && j < my) {
      float sum = 0;
      for (int d = 1; d <= halo; ++d) {
        sum += coefficient[d] * (tile[r + d][threadIdx.x] - tile[r - d][threadIdx.x]);
      }
      df[(k * my + j) * mx + i] = sum * scale;
    }
  }
}

}  // namespace

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  const int tiles_x = (mx + tile_x - 1) / tile_x;
  const int tiles_y = (my + tile_y - 1) / tile_y;
  const dim3 block(block_x, block_y);
  derivative_y_kernel<<<tiles_x * tiles_y * mz, block>>>(f, df, mx, my, 1.0f / spacing);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  derivative_y(f, df, mx * my, mz, 1, spacing);
}
