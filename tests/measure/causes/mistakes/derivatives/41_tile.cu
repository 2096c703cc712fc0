// CAUSE: wrap() uses m as the period of a pencil of m points, but the last point repeats the first, so the period is m - 1.
// LINES: 16
// REPAIR: line 16: `const int period = m;` -> `const int period = m - 1;`
// SYMPTOM: The first four and the last four points of each pencil are wrong, along y and along z; those in between are right.
#include "derivatives.h"

namespace {

constexpr int halo = 4;
constexpr int tile_x = 32, tile_y = 64;
constexpr int block_x = 32, block_y = 8;

__constant__ float coefficient[halo + 1] = {0, 4.0f / 5, -1.0f / 5, 4.0f / 105, -1.0f / 280};

__device__ int wrap(int place, int m) {
  const int period = m;
  if (place < 0) return place + period;
  if (place >= m) return place - period;
  return place;
}

__global__ void derivative_y_kernel(const float* f, float* df, int mx, int my, float scale) {
  __shared__ float tile[halo + tile_y + halo][tile_x];

  const int tiles_x = (mx + tile_x - 1) / tile_x;
  const int tiles_y = (my + tile_y - 1) / tile_y;
  const int x = threadIdx.x, y = threadIdx.y;
  const int i = blockIdx.x % tiles_x * tile_x + x;
  const int first = blockIdx.x / tiles_x % tiles_y * tile_y;
  const int k = blockIdx.x / tiles_x / tiles_y;

  for (int r = y; r < halo + tile_y + halo; r += block_y) {
    const int place = first + r - halo;
    if (i < mx && place < my + halo) tile[r][x] = f[(k * my + wrap(place, my)) * mx + i];
  }
  __syncthreads();

  for (int r = y; r < tile_y; r += block_y) {
    const int j = first + r;
    if (i >= mx || j >= my) continue;
    float sum = 0;
    for (int d = 1; d <= halo; ++d) {
      sum += coefficient[d] * (tile[r + halo + d][x] - tile[r + halo - d][x]);
    }
    df[(k * my + j) * mx + i] = sum * scale;
  }
}

}  // namespace

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  const int tiles = (mx + tile_x - 1) / tile_x * ((my + tile_y - 1) / tile_y) * mz;
  derivative_y_kernel<<<tiles, dim3(block_x, block_y)>>>(f, df, mx, my, 1 / spacing);
}

// A pencil along z has its neighbors mx * my apart: as along y, if a row had mx * my points.
void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  derivative_y(f, df, mx * my, mz, 1, spacing);
}
