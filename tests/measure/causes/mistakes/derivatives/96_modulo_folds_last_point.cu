// CAUSE: The place is wrapped by a remainder modulo m - 1, which also turns place m - 1, the last point of the grid, into 0; but a place within the grid is to be read as it is.
// LINES: 18
// REPAIR: line 18: `return (place + m - 1) % (m - 1);` -> `return place < 0 ? place + (m - 1) : place < m ? place : place - (m - 1);`
// SYMPTOM: Near the end of a pencil f[0] is used instead of f[m - 1]: wrong if the two differ.

#include "derivatives.h"

namespace {

constexpr int halo = 4;
constexpr int tile_x = 32, tile_p = 64;
constexpr int block_y = 8;

__constant__ float coefficient[halo + 1] = {0, 4.0f / 5, -1.0f / 5, 4.0f / 105, -1.0f / 280};

// Where a pencil of m points holds a place.
__device__ int wrap(int place, int m) {
  return (place + m - 1) % (m - 1);
}

// A pencil has m points, `stride` apart. Pencils lie side by side along x, in planes that are
// `plane_stride` apart.
__global__ void derivative_kernel(const float* f, float* df, int mx, int m, int stride,
                                  int plane_stride, float scale) {
  __shared__ float tile[halo + tile_p + halo][tile_x];
  const int across = (mx + tile_x - 1) / tile_x, along = (m + tile_p - 1) / tile_p;
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int i = blockIdx.x % across * tile_x + tx;
  const int first = blockIdx.x / across % along * tile_p;
  const int plane = blockIdx.x / across / along;
  const int origin = plane * plane_stride + i;

  for (int r = ty; r < halo + tile_p + halo; r += block_y) {
    const int place = first + r - halo;
    if (i < mx && place < m + halo) tile[r][tx] = f[origin + wrap(place, m) * stride];
  }
  __syncthreads();

  for (int r = ty; r < tile_p; r += block_y) {
    if (i < mx && first + r < m) {
      float sum = 0;
#pragma unroll
      for (int d = 1; d <= halo; ++d)
        sum += coefficient[d] * (tile[r + halo + d][tx] - tile[r + halo - d][tx]);
      df[origin + (first + r) * stride] = scale * sum;
    }
  }
}

void launch(const float* f, float* df, int mx, int m, int planes, int stride, int plane_stride,
            float spacing) {
  const int across = (mx + tile_x - 1) / tile_x, along = (m + tile_p - 1) / tile_p;
  derivative_kernel<<<across * along * planes, dim3(tile_x, block_y)>>>(f, df, mx, m, stride,
                                                                       plane_stride, 1 / spacing);
}

}  // namespace

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  launch(f, df, mx, my, mz, mx, mx * my, spacing);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  launch(f, df, mx, mz, my, mx * my, mx, spacing);
}
