// CAUSE: places past the end of the pencil are not loaded, so the halo of the last tile stays empty, though the grid goes on from its beginning there
// LINES: 34
// REPAIR: load while place < my + halo
// GOOD HINT: Which slots does the last point of a pencil need?
// SYMPTOM: reads of memory that nobody wrote near the upper end

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
  __shared__ float buf[halo + H + halo][W];
  const int tiles_x = (mx + W - 1) / W;
  const int tiles_y = (my + H - 1) / H;
  const int i = blockIdx.x % tiles_x * W + threadIdx.x;
  const int first = blockIdx.x / tiles_x % tiles_y * H;
  const int k = blockIdx.x / tiles_x / tiles_y;
  const float* plane = f + k * my * mx;

  for (int row = threadIdx.y; row < H + 2 * halo; row += threads_y) {
    const int place = first + row - halo;
    if (i < mx && place < my) {
      buf[row][threadIdx.x] = plane[wrap(place, my) * mx + i];
    }
  }
  __syncthreads();

  for (int row = threadIdx.y; row < H; row += threads_y) {
    const int j = first + row;
    if (i >= mx || j >= my) continue;
    float sum = 0;
    for (int d = 1; d <= halo; ++d) {
      sum += coefficient[d] * (buf[row + halo + d][threadIdx.x] - buf[row + halo - d][threadIdx.x]);
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
  // a plane of x and y is one long row, so z takes the place of y
  derivative_y(f, df, mx * my, mz, 1, spacing);
}
