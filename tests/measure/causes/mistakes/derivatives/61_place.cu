// CAUSE: wrap() leaves the place m as it is, though m is already one past the last point.
// LINES: 18
// REPAIR: if (place >= m)
// SYMPTOM: The last four points of each pencil have a wrong derivative (f[m] is read from the next pencil or plane), and at the end of the array it is a read past the end.

#include "derivatives.h"

namespace {

constexpr int halo = 4;
constexpr int tile_x = 32, tile_len = 64;
constexpr int block_x = 32, block_y = 8;

__constant__ float coefficient[halo + 1] = {0, 4.0f / 5, -1.0f / 5, 4.0f / 105, -1.0f / 280};

__device__ int wrap(int place, int m) {
  if (place < 0) return place + (m - 1);
  if (place > m) return place - (m - 1);
  return place;
}

// The points of a pencil are `stride` apart, and the planes of pencils are `plane_stride` apart.
__global__ void derivative_kernel(const float* f, float* df, int mx, int m, int stride,
                                  int plane_stride, float scale) {
  __shared__ float tile[halo + tile_len + halo][tile_x];

  const int tiles_x = (mx + tile_x - 1) / tile_x;
  const int tiles_m = (m + tile_len - 1) / tile_len;
  const int number = blockIdx.x;
  const int i = number % tiles_x * tile_x + threadIdx.x;
  const int first = number / tiles_x % tiles_m * tile_len;
  const int plane = number / tiles_x / tiles_m;
  const int start = plane * plane_stride + i;

  for (int row = threadIdx.y; row < halo + tile_len + halo; row += block_y) {
    const int place = first + row - halo;
    if (i < mx && place < m + halo) tile[row][threadIdx.x] = f[start + wrap(place, m) * stride];
  }
  __syncthreads();

  for (int row = threadIdx.y; row < tile_len; row += block_y) {
    const int place = first + row;
    if (i >= mx || place >= m) break;
    float sum = 0;
    for (int d = 1; d <= halo; ++d) {
      const float right = tile[halo + row + d][threadIdx.x];
      const float left = tile[halo + row - d][threadIdx.x];
      sum += coefficient[d] * (right - left);
    }
    df[start + place * stride] = sum * scale;
  }
}

void launch(const float* f, float* df, int mx, int m, int stride, int planes, int plane_stride,
            float spacing) {
  const int tiles_x = (mx + tile_x - 1) / tile_x;
  const int tiles_m = (m + tile_len - 1) / tile_len;
  derivative_kernel<<<tiles_x * tiles_m * planes, dim3(block_x, block_y)>>>(
      f, df, mx, m, stride, plane_stride, 1 / spacing);
}

}  // namespace

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  launch(f, df, mx, my, mx, mz, mx * my, spacing);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  launch(f, df, mx, mz, mx * my, my, mx, spacing);
}
