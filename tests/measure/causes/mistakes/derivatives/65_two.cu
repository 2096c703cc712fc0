// CAUSE: (1) The products of all right neighbors are added first and those of the left ones subtracted afterwards, so rounding keeps a rest; each difference has to come first. (2) derivative_z passes the spacing as the scale instead of 1 / spacing.
// LINES: 41 42 61
// REPAIR: (1) one loop with sum += coefficient[d] * (tile[r + halo + d][tx] - tile[r + halo - d][tx]); (2) 1.0f / spacing
// SYMPTOM: The derivative of a constant field is not exactly 0, and derivative_z is wrong by the factor spacing * spacing unless the spacing is 1.

#include "derivatives.h"

namespace {

constexpr int halo = 4;
constexpr int tile_x = 32, tile_y = 64;
constexpr int block_x = 32, block_y = 8;

__constant__ float coefficient[halo + 1] = {0, 4.0f / 5, -1.0f / 5, 4.0f / 105, -1.0f / 280};

__device__ int wrap(int place, int m) {
  if (place < 0) place += m - 1;
  if (place >= m) place -= m - 1;
  return place;
}

__global__ void derivative_kernel(const float* f, float* df, int mx, int m, int step, int plane,
                                  float scale) {
  __shared__ float tile[halo + tile_y + halo][tile_x];
  const int tx = threadIdx.x;
  const int tiles_x = (mx + tile_x - 1) / tile_x;
  const int tiles_m = (m + tile_y - 1) / tile_y;
  const int first = blockIdx.x / tiles_x % tiles_m * tile_y;
  const int i = blockIdx.x % tiles_x * tile_x + tx;
  const int base = blockIdx.x / tiles_x / tiles_m * plane + i;

  for (int r = threadIdx.y; r < halo + tile_y + halo; r += block_y) {
    const int place = first + r - halo;
    if (i < mx && place < m + halo) tile[r][tx] = f[base + wrap(place, m) * step];
  }
  __syncthreads();

  for (int r = threadIdx.y; r < tile_y; r += block_y) {
    if (i < mx && first + r < m) {
      float sum = 0;
      for (int d = 1; d <= halo; ++d) sum += coefficient[d] * tile[r + halo + d][tx];
      for (int d = 1; d <= halo; ++d) sum -= coefficient[d] * tile[r + halo - d][tx];
      df[base + (first + r) * step] = sum * scale;
    }
  }
}

dim3 grid_of(int mx, int m, int planes) {
  return dim3((mx + tile_x - 1) / tile_x * ((m + tile_y - 1) / tile_y) * planes);
}

}  // namespace

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  const float scale = 1.0f / spacing;
  derivative_kernel<<<grid_of(mx, my, mz), dim3(block_x, block_y)>>>(f, df, mx, my, mx, mx * my,
                                                                     scale);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  const float scale = spacing;
  derivative_kernel<<<grid_of(mx, mz, my), dim3(block_x, block_y)>>>(f, df, mx, mz, mx * my, mx,
                                                                     scale);
}
