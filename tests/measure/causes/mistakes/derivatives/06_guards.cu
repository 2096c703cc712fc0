// CAUSE: Two mistakes. (1) The barrier between loading the tile and using it is missing. (2) The store checks j but not i: in the last tile along x, threads right of the grid write their garbage into the row behind.
// LINES: after 37, 42
// REPAIR: insert `__syncthreads();` after line 37; and `if (j < my)` -> `if (i < mx && j < my)` (line 42)
// GOOD HINT: (1) Who loaded the slots above and below yours, and how do you know that they have come? (2) With mx = 40, which address does the thread with i = 41 write to?
// SYMPTOM: (1) Race on the tile: wrong at chance places, uninitialized reads. (2) Where mx is no multiple of 32: the first points of rows are overwritten (race), and writes go past the end of df.
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

  // find the tile
  const int tiles_x = (mx + tile_x - 1) / tile_x;
  const int tiles_y = (my + tile_y - 1) / tile_y;
  const int i = blockIdx.x % tiles_x * tile_x + threadIdx.x;
  const int first = blockIdx.x / tiles_x % tiles_y * tile_y;
  const int k = blockIdx.x / tiles_x / tiles_y;
  const int start = k * my * mx + i;

  // load it
  for (int r = threadIdx.y; r < halo + tile_y + halo; r += block_y) {
    const int place = first + r - halo;
    if (i < mx && place < my + halo) tile[r][threadIdx.x] = f[start + wrap(place, my) * mx];
  }

  // store the derivatives
  for (int p = threadIdx.y; p < tile_y; p += block_y) {
    const int j = first + p;
    if (j < my) {
      float sum = 0;
      for (int d = 1; d <= halo; ++d) {
        sum += coefficient[d] * (tile[halo + p + d][threadIdx.x] - tile[halo + p - d][threadIdx.x]);
      }
      df[start + j * mx] = sum * scale;
    }
  }
}

int tiles_for(int points, int per_tile) { return (points + per_tile - 1) / per_tile; }

}  // namespace

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  const int blocks = tiles_for(mx, tile_x) * tiles_for(my, tile_y) * mz;
  derivative_y_kernel<<<blocks, dim3(block_x, block_y)>>>(f, df, mx, my, 1 / spacing);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  derivative_y(f, df, mx * my, mz, 1, spacing);
}
