// CAUSE: The loop that loads the tile ends after halo + tile_y rows, so the last four of the 72 rows, the halo behind the tile, are never loaded.
// LINES: 47
// REPAIR: line 47: `for (int r = threadIdx.y; r < halo + tile_y; r += block_y) {` -> `for (int r = threadIdx.y; r < halo + tile_y + halo; r += block_y) {`
// SYMPTOM: The last four points of each full tile of 64 are made from uninitialized shared memory.

#include "derivatives.h"

namespace {

constexpr int halo = 4;
constexpr int tile_x = 32, tile_y = 64;
constexpr int block_x = 32, block_y = 8;

__constant__ float coefficient[halo + 1] = {0, 4.0f / 5, -1.0f / 5, 4.0f / 105, -1.0f / 280};

__device__ int wrap(int place, int m) {
  if (place < 0) place += m - 1;
  else if (place > m - 1) place -= m - 1;
  return place;
}

template <int Points>
__device__ void derive(const float (&place)[Points + 2 * halo], float (&result)[Points],
                       float scale) {
#pragma unroll
  for (int p = 0; p < Points; ++p) {
    float sum = 0;
#pragma unroll
    for (int d = 1; d <= halo; ++d)
      sum += coefficient[d] * (place[p + halo + d] - place[p + halo - d]);
    result[p] = sum * scale;
  }
}

// Each thread makes eight neighboring points, from sixteen places that it keeps in registers.
__global__ void derivative_kernel(const float* f, float* df, int mx, int m, int stride,
                                  int plane_stride, int tiles_x, int tiles_y, float scale) {
  constexpr int each = tile_y / block_y;
  __shared__ float tile[halo + tile_y + halo][tile_x];
  int b = blockIdx.x;
  const int i = (b % tiles_x) * tile_x + threadIdx.x;
  b /= tiles_x;
  const int first = (b % tiles_y) * tile_y;
  b /= tiles_y;
  const int base = b * plane_stride + i;

  for (int r = threadIdx.y; r < halo + tile_y; r += block_y) {
    const int p = first + r - halo;
    tile[r][threadIdx.x] = i < mx && p < m + halo ? f[base + wrap(p, m) * stride] : 0;
  }
  __syncthreads();

  float place[each + 2 * halo], result[each];
  const int mine = threadIdx.y * each;
#pragma unroll
  for (int p = 0; p < each + 2 * halo; ++p) place[p] = tile[mine + p][threadIdx.x];
  derive<each>(place, result, scale);
#pragma unroll
  for (int p = 0; p < each; ++p)
    if (i < mx && first + mine + p < m) df[base + (first + mine + p) * stride] = result[p];
}

void derivative(const float* f, float* df, int mx, int m, int planes, int stride, int plane_stride,
                float scale) {
  const int tiles_x = (mx + tile_x - 1) / tile_x;
  const int tiles_y = (m + tile_y - 1) / tile_y;
  const dim3 block(block_x, block_y);
  derivative_kernel<<<tiles_x * tiles_y * planes, block>>>(f, df, mx, m, stride, plane_stride,
                                                           tiles_x, tiles_y, scale);
}

}  // namespace

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  derivative(f, df, mx, my, mz, mx, mx * my, 1 / spacing);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  derivative(f, df, mx, mz, my, mx * my, mx, 1 / spacing);
}
