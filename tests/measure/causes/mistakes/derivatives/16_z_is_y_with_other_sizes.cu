// CAUSE: the sizes of y and z are swapped, but their strides are not: points along z are mx * my apart, and the kernel still steps by mx
// LINES: 60
// REPAIR: derivative_y(f, df, mx * my, mz, 1, spacing)
// GOOD HINT: How far apart in memory are two neighbors along z?
// SYMPTOM: derivative_z is wrong at all points, or mostly

#include "derivatives.h"

namespace {

constexpr int halo = 4;
constexpr int W = 32, H = 64;
constexpr int threads_y = 8;

__constant__ float coefficient[halo + 1] = {0, 4.0f / 5, -1.0f / 5, 4.0f / 105, -1.0f / 280};

__device__ int wrap(int place, int m) {
  if (place < 0) return place + m - 1;
  if (place >= m) return place - (m - 1);
  return place;
}

__global__ void derivative_y_kernel(const float* f, float* df, int mx, int my, float scale) {
  __shared__ float tile[halo + H + halo][W];
  const int tiles_x = (mx + W - 1) / W;
  const int tiles_y = (my + H - 1) / H;
  const int i = blockIdx.x % tiles_x * W + threadIdx.x;
  const int j0 = blockIdx.x / tiles_x % tiles_y * H;
  const int k = blockIdx.x / tiles_x / tiles_y;
  const float* slice = f + k * my * mx;

  for (int r = threadIdx.y; r < H + 2 * halo; r += threads_y) {
    const int place = j0 + r - halo;
    if (i < mx && place < my + halo) {
      tile[r][threadIdx.x] = slice[wrap(place, my) * mx + i];
    }
  }
  __syncthreads();

  for (int r = threadIdx.y; r < H; r += threads_y) {
    const int j = j0 + r;
    if (i >= mx || j >= my) continue;
    float sum = 0;
    for (int d = 1; d <= halo; ++d) {
      sum += coefficient[d] * (tile[r + halo + d][threadIdx.x] - tile[r + halo - d][threadIdx.x]);
    }
    df[(k * my + j) * mx + i] = sum * scale;
  }
}

}  // namespace

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  const int blocks = ((mx + W - 1) / W) * ((my + H - 1) / H) * mz;
  derivative_y_kernel<<<blocks, dim3(W, threads_y)>>>(f, df, mx, my, 1 / spacing);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  // the same with z in the place of y
  derivative_y(f, df, mx, mz, my, spacing);
}
