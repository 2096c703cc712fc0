// CAUSE: derivative_z counts its tiles along z with my, copied from derivative_y; the pencils along z have mz points.
// LINES: 62
// REPAIR: line 62: `const int along = ceil_div(my, height);` -> `const int along = ceil_div(mz, height);`
// SYMPTOM: derivative_z is right if my and mz need as many tiles of 64; with fewer tiles along y, planes of df are never written, and with more, there are only blocks that have nothing to do.
#include "derivatives.h"

namespace {

constexpr int halo = 4;
constexpr int width = 32, height = 64, rows = 8;

enum class Axis { y, z };

__device__ int wrap(int place, int m) {
  return place < 0 ? place + (m - 1) : place < m ? place : place - (m - 1);
}

template <Axis axis>
__global__ void derivative(const float* __restrict__ f, float* __restrict__ df, int mx, int my,
                           int mz, int tiles_across, int tiles_along, float scale) {
  __shared__ float tile[height + 2 * halo][width];
  const int m = axis == Axis::y ? my : mz;
  const int tx = threadIdx.x;
  const int i = blockIdx.x % tiles_across * width + tx;
  const int first = blockIdx.x / tiles_across % tiles_along * height;
  const int other = blockIdx.x / tiles_across / tiles_along;
  const auto at = [=](int place) {
    const int j = axis == Axis::y ? place : other;
    const int k = axis == Axis::y ? other : place;
    return (k * my + j) * mx + i;
  };

  for (int row = threadIdx.y; row < height + 2 * halo; row += rows) {
    const int place = first + row - halo;
    if (i < mx && place < m + halo) tile[row][tx] = f[at(wrap(place, m))];
  }
  __syncthreads();

  for (int row = threadIdx.y; row < height; row += rows) {
    if (i >= mx || first + row >= m) break;
    const float (*center)[width] = &tile[row + halo];
    df[at(first + row)] = scale * (4.0f / 5 * (center[1][tx] - center[-1][tx]) -
                                   1.0f / 5 * (center[2][tx] - center[-2][tx]) +
                                   4.0f / 105 * (center[3][tx] - center[-3][tx]) -
                                   1.0f / 280 * (center[4][tx] - center[-4][tx]));
  }
}

int ceil_div(int a, int b) { return (a + b - 1) / b; }

}  // namespace

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  const int across = ceil_div(mx, width);
  const int along = ceil_div(my, height);
  derivative<Axis::y><<<across * along * mz, dim3(width, rows)>>>(f, df, mx, my, mz, across, along,
                                                                  1.0f / spacing);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  const int across = ceil_div(mx, width);
  const int along = ceil_div(my, height);
  derivative<Axis::z><<<across * along * my, dim3(width, rows)>>>(f, df, mx, my, mz, across, along,
                                                                  1.0f / spacing);
}
