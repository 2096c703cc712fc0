// CAUSE: The loop over the tile's points stops at the end of the grid, so in a partial last tile the four places after the last point, which come from the start of the pencil, are not filled.
// LINES: 38
// REPAIR: if (i < mx && j < m + halo) tile[halo + row][tx] = f[start + wrap(j, m) * stride];
// SYMPTOM: If the number of points is not a multiple of 64, the last four points of each pencil read slots that nobody wrote, and their derivatives are wrong.

#include "derivatives.h"

namespace {

constexpr int halo = 4;
constexpr int tile_x = 32, tile_y = 64;
constexpr int block_x = 32, block_y = 8;  // block_y = 2 * halo

__constant__ float coefficient[halo + 1] = {0, 4.0f / 5, -1.0f / 5, 4.0f / 105, -1.0f / 280};

__device__ int wrap(int place, int m) {
  if (place < 0) return place + m - 1;
  if (place > m - 1) return place - m + 1;
  return place;
}

__global__ void pencil_kernel(const float* f, float* df, int mx, int m, int stride, int jump,
                              float scale) {
  __shared__ float tile[halo + tile_y + halo][tile_x];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int tiles_x = (mx + tile_x - 1) / tile_x;
  const int tiles_y = (m + tile_y - 1) / tile_y;
  const int per_plane = tiles_x * tiles_y;
  const int in_plane = blockIdx.x % per_plane;

  const int i = in_plane % tiles_x * tile_x + tx;
  const int first = in_plane / tiles_x * tile_y;
  const int start = blockIdx.x / per_plane * jump + i;

  // the points
  for (int row = ty; row < tile_y; row += block_y) {
    const int j = first + row;
    if (i < mx && j < m) tile[halo + row][tx] = f[start + j * stride];
  }

  // the halo: a row for each row of threads
  if (i < mx) {
    if (ty < halo) {
      tile[ty][tx] = f[start + wrap(first - halo + ty, m) * stride];
    } else {
      const int j = first + tile_y + ty - halo;
      if (j < m + halo) tile[tile_y + ty][tx] = f[start + wrap(j, m) * stride];
    }
  }

  __syncthreads();

  for (int row = ty; row < tile_y; row += block_y) {
    const int j = first + row;
    if (i < mx && j < m) {
      float sum = 0;
      for (int d = 1; d <= halo; ++d) {
        sum += coefficient[d] * (tile[halo + row + d][tx] - tile[halo + row - d][tx]);
      }
      df[start + j * stride] = scale * sum;
    }
  }
}

int tiles(int mx, int m) {
  return ((mx + tile_x - 1) / tile_x) * ((m + tile_y - 1) / tile_y);
}

}  // namespace

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  const dim3 block(block_x, block_y);
  pencil_kernel<<<tiles(mx, my) * mz, block>>>(f, df, mx, my, mx, mx * my, 1 / spacing);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  const dim3 block(block_x, block_y);
  pencil_kernel<<<tiles(mx, mz) * my, block>>>(f, df, mx, mz, mx * my, mx, 1 / spacing);
}
