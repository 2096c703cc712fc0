// CAUSE: two mistakes: the neighbors are looked for at slot r, which holds a point four places before; and the result is multiplied by the spacing, not divided
// LINES: 45, 55
// REPAIR: slot r + halo; scale = 1 / spacing
// GOOD HINT: In which slot is point first + r? What are the units of a derivative?
// SYMPTOM: all results wrong, reads before the tile

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
  const int first = blockIdx.x / tiles_x % tiles_y * H;
  const int k = blockIdx.x / tiles_x / tiles_y;
  const float* plane = f + k * my * mx;

  for (int r = threadIdx.y; r < H + 2 * halo; r += threads_y) {
    const int place = first + r - halo;
    if (i < mx && place < my + halo) {
      tile[r][threadIdx.x] = plane[wrap(place, my) * mx + i];
    }
  }
  __syncthreads();

  for (int r = threadIdx.y; r < H; r += threads_y) {
    const int j = first + r;
    if (i >= mx || j >= my) continue;
    float value = 0;
    for (int d = 1; d <= halo; ++d) {
      value += coefficient[d] * (tile[r + d][threadIdx.x] - tile[r - d][threadIdx.x]);
    }
    df[(k * my + j) * mx + i] = value * scale;
  }
}

}  // namespace

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  const int blocks = ((mx + W - 1) / W) * ((my + H - 1) / H) * mz;
  derivative_y_kernel<<<blocks, dim3(W, threads_y)>>>(f, df, mx, my, spacing);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  // a plane of x and y is one long row, so z takes the place of y
  derivative_y(f, df, mx * my, mz, 1, spacing);
}
