// CAUSE: The upper halo is always put behind a full tile. In the last tile, if it is not full, the four places after the pencil's last point stay empty, and what is loaded instead lies beyond the end.
// LINES: 34 39
// REPAIR: first loop: if (start + r < my + halo) tile[halo + r][tx] = line[wrap(start + r, my) * mx]; upper halo: if (start + tile_y + ty < my + halo) tile[halo + tile_y + ty][tx] = ...
// SYMPTOM: If the number of points is no multiple of 64: uninitialized slots are read, the last four derivatives of each pencil are wrong, and f may be read outside the array.
#include "derivatives.h"

namespace {

constexpr int halo = 4;
constexpr int tile_x = 32, tile_y = 64;
constexpr int block_y = 16;

__constant__ float coefficient[halo + 1] = {0, 4.0f / 5, -1.0f / 5, 4.0f / 105, -1.0f / 280};

__device__ int wrap(int place, int m) {
  return place < 0 ? place + m - 1 : place >= m ? place - (m - 1) : place;
}

__global__ void derivative_y_kernel(const float* f, float* df, int mx, int my, float scale) {
  __shared__ float tile[halo + tile_y + halo][tile_x];
  const int tx = threadIdx.x, ty = threadIdx.y;

  const int tiles_x = (mx + tile_x - 1) / tile_x;
  const int tiles_y = (my + tile_y - 1) / tile_y;
  const int i = blockIdx.x % tiles_x * tile_x + tx;
  const int start = blockIdx.x / tiles_x % tiles_y * tile_y;
  const int plane = blockIdx.x / (tiles_x * tiles_y);
  const int offset = plane * my * mx + i;  // of the pencil's first point

  if (i < mx) {
    const float* line = f + offset;
    // the tile's own points
    for (int r = ty; r < tile_y; r += block_y) {
      if (start + r < my) tile[halo + r][tx] = line[(start + r) * mx];
    }
    // the halo
    if (ty < halo) {
      tile[ty][tx] = line[wrap(start - halo + ty, my) * mx];
      tile[halo + tile_y + ty][tx] = line[wrap(start + tile_y + ty, my) * mx];
    }
  }
  __syncthreads();

  if (i < mx) {
    for (int r = ty; r < tile_y; r += block_y) {
      if (start + r < my) {
        const int c = halo + r;
        float sum = 0;
        for (int d = 1; d <= halo; ++d) sum += coefficient[d] * (tile[c + d][tx] - tile[c - d][tx]);
        df[offset + (start + r) * mx] = sum * scale;
      }
    }
  }
}

}  // namespace

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  const int across = (mx + tile_x - 1) / tile_x;
  const int along = (my + tile_y - 1) / tile_y;
  derivative_y_kernel<<<across * along * mz, dim3(tile_x, block_y)>>>(f, df, mx, my, 1 / spacing);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  derivative_y(f, df, mx * my, mz, 1, spacing);
}
