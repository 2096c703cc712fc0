// CAUSE: 4 / 105 is a division of integers, so the coefficient of the third neighbors is 0.
// LINES: 15
// REPAIR: 4.f / 105
// SYMPTOM: Derivatives are off by about a fifth where f varies slowly; the error does not fall with eighth order. Fields that are constant along the axis are right.

#include "derivatives.h"

namespace {

constexpr int halo = 4;
constexpr int tile_x = 32, tile_y = 64;
constexpr int block_y = 8;

// for distances 1 to 4
__constant__ float c[halo] = {4.f / 5, -1.f / 5, 4 / 105, -1.f / 280};

__device__ int wrap(int place, int m) {
  return place < 0 ? place + (m - 1) : place >= m ? place - (m - 1) : place;
}

template <bool along_z>
__global__ void derivative_kernel(const float* f, float* df, int mx, int my, int mz, float scale) {
  __shared__ float tile[tile_y + 2 * halo][tile_x];

  const int m = along_z ? mz : my;
  const int stride = along_z ? mx * my : mx;
  const int plane = along_z ? mx : mx * my;

  const int tiles_x = (mx + tile_x - 1) / tile_x;
  const int tiles_m = (m + tile_y - 1) / tile_y;
  const int bx = blockIdx.x % tiles_x;
  const int bm = blockIdx.x / tiles_x % tiles_m;
  const int bp = blockIdx.x / (tiles_x * tiles_m);

  const int i = bx * tile_x + threadIdx.x;
  const int first = bm * tile_y;
  const float* pencil = f + bp * plane + i;
  const bool inside = i < mx;

  for (int r = threadIdx.y; r < tile_y + 2 * halo; r += block_y) {
    const int place = first + r - halo;
    if (inside && place < m + halo) tile[r][threadIdx.x] = pencil[wrap(place, m) * stride];
  }
  __syncthreads();

  if (!inside) return;
  for (int r = threadIdx.y; r < tile_y; r += block_y) {
    if (first + r >= m) return;
    const int own = r + halo, x = threadIdx.x;
    const float sum = c[0] * (tile[own + 1][x] - tile[own - 1][x]) +
                      c[1] * (tile[own + 2][x] - tile[own - 2][x]) +
                      c[2] * (tile[own + 3][x] - tile[own - 3][x]) +
                      c[3] * (tile[own + 4][x] - tile[own - 4][x]);
    df[bp * plane + i + (first + r) * stride] = sum * scale;
  }
}

int ceil_div(int a, int b) { return (a + b - 1) / b; }

}  // namespace

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  const int grid = ceil_div(mx, tile_x) * ceil_div(my, tile_y) * mz;
  derivative_kernel<false><<<grid, dim3(tile_x, block_y)>>>(f, df, mx, my, mz, 1.f / spacing);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  const int grid = ceil_div(mx, tile_x) * ceil_div(mz, tile_y) * my;
  derivative_kernel<true><<<grid, dim3(tile_x, block_y)>>>(f, df, mx, my, mz, 1.f / spacing);
}
