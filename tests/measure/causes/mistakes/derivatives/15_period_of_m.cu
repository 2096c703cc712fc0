// CAUSE: the period is taken to be m, but the last point repeats the first, so it is m - 1
// LINES: 18, 19
// REPAIR: add or subtract m - 1
// GOOD HINT: Which place does -1 stand for, if place m - 1 repeats place 0?
// SYMPTOM: wrong near the ends of the grid

#include "derivatives.h"

namespace {

constexpr int halo = 4;
constexpr int TX = 32, TY = 64;
constexpr int threads_y = 8;

__constant__ float coefficient[halo + 1] = {0, 4.0f / 5, -1.0f / 5, 4.0f / 105, -1.0f / 280};

__device__ int wrap(int place, int m) {
  if (place < 0) return place + m;
  if (place >= m) return place - m;
  return place;
}

__global__ void derivative_y_kernel(const float* f, float* df, int mx, int my, float scale) {
  __shared__ float tile[halo + TY + halo][TX];
  const int tiles_x = (mx + TX - 1) / TX;
  const int tiles_y = (my + TY - 1) / TY;
  const int i = blockIdx.x % tiles_x * TX + threadIdx.x;
  const int first = blockIdx.x / tiles_x % tiles_y * TY;
  const int k = blockIdx.x / tiles_x / tiles_y;
  const float* plane = f + k * my * mx;

  for (int r = threadIdx.y; r < TY + 2 * halo; r += threads_y) {
    const int place = first + r - halo;
    if (i < mx && place < my + halo) {
      tile[r][threadIdx.x] = plane[wrap(place, my) * mx + i];
    }
  }
  __syncthreads();

  for (int r = threadIdx.y; r < TY; r += threads_y) {
    const int j = first + r;
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
  const int blocks = ((mx + TX - 1) / TX) * ((my + TY - 1) / TY) * mz;
  derivative_y_kernel<<<blocks, dim3(TX, threads_y)>>>(f, df, mx, my, 1 / spacing);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  // a plane of x and y is one long row, so z takes the place of y
  derivative_y(f, df, mx * my, mz, 1, spacing);
}
