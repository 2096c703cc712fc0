// CAUSE: The last tile may reach far past the pencil, and wrap() goes back by one period only. The load has no bound there: it needs places below my + halo at most.
// LINES: 36
// REPAIR: line 36: `if (i < mx) tile[r][x] = f[(plane + wrap(place, my)) * mx + i];` -> `if (i < mx && place < my + halo) tile[r][x] = f[(plane + wrap(place, my)) * mx + i];`
// SYMPTOM: Short pencils (up to 34 points, or 65 and 66) are loaded past their end, in the last plane past the end of `f`; the results are right.
#include "derivatives.h"

namespace {

constexpr int halo = 4;
constexpr int tile_x = 32, tile_y = 64;
constexpr int block_y = 8;
constexpr int each = tile_y / block_y;  // neighboring points of a thread

__device__ int wrap(int place, int m) {
  if (place < 0) return place + (m - 1);
  if (place >= m) return place - (m - 1);
  return place;
}

__device__ float derivative(const float* v) {
  return 4.0f / 5 * (v[1] - v[-1]) - 1.0f / 5 * (v[2] - v[-2]) + 4.0f / 105 * (v[3] - v[-3]) -
         1.0f / 280 * (v[4] - v[-4]);
}

__global__ void derivative_y_kernel(const float* f, float* df, int mx, int my, float scale) {
  __shared__ float tile[halo + tile_y + halo][tile_x];
  const int x = threadIdx.x;
  const int tiles_x = (mx + tile_x - 1) / tile_x, tiles_y = (my + tile_y - 1) / tile_y;
  const int tile_row = blockIdx.x / tiles_x;
  const int i = blockIdx.x % tiles_x * tile_x + x;
  const int first = tile_row % tiles_y * tile_y;
  const int plane = tile_row / tiles_y * my;  // its first row

  for (int r = threadIdx.y; r < halo + tile_y + halo; r += block_y) {
    const int place = first + r - halo;
    if (i < mx) tile[r][x] = f[(plane + wrap(place, my)) * mx + i];
  }
  __syncthreads();

  // Eight points in a row need sixteen places.
  const int top = threadIdx.y * each;
  float value[halo + each + halo];
#pragma unroll
  for (int v = 0; v < halo + each + halo; ++v) {
    const bool used = i < mx && first + top + v - halo < my + halo;
    value[v] = used ? tile[top + v][x] : 0;
  }
#pragma unroll
  for (int v = 0; v < each; ++v) {
    const int j = first + top + v;
    if (i < mx && j < my) df[(plane + j) * mx + i] = scale * derivative(&value[v + halo]);
  }
}

}  // namespace

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  const int tiles_x = (mx + tile_x - 1) / tile_x, tiles_y = (my + tile_y - 1) / tile_y;
  const dim3 block(tile_x, block_y);
  derivative_y_kernel<<<tiles_x * tiles_y * mz, block>>>(f, df, mx, my, 1 / spacing);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  // one big plane: its rows have mx * my points, and there are mz of them
  derivative_y(f, df, mx * my, mz, 1, spacing);
}
