// CAUSE: (1) derivative_z passes spacing as the scale, but the kernel multiplies by it, so it has to be 1 / spacing. (2) A thread makes eight points in a row, and its guard only asks whether the first of them exists.
// LINES: 45 64
// REPAIR: line 45: `to[(first + p) * stride] = sum * scale;` -> `if (first + p < m) to[(first + p) * stride] = sum * scale;`; line 64: `derivative(f, df, mx, mz, my, mx * my, mx, spacing);` -> `derivative(f, df, mx, mz, my, mx * my, mx, 1.0f / spacing);`
// SYMPTOM: (1) derivative_z is wrong by a factor of spacing squared. (2) Where a pencil is not a multiple of eight points long, points behind its end are written: those of the next plane, or out of bounds.

#include "derivatives.h"

// No tile: a thread has eight neighboring points of a pencil, and keeps the sixteen places that
// they need in registers. A warp has 32 pencils side by side.

namespace {

constexpr int halo = 4;
constexpr int each = 8;
constexpr int places = each + 2 * halo;
constexpr int block_x = 32, block_y = 4;

__device__ __forceinline__ int place_in_grid(int place, int m) {
  const int period = m - 1;
  if (place < 0) place += period;
  if (place > period) place -= period;
  return min(place, period);
}

__global__ void derivative_kernel(const float* f, float* df, int mx, int m, int stride,
                                  int plane_stride, int across, int along, float scale) {
  const int i = blockIdx.x % across * block_x + threadIdx.x;
  const int first = (blockIdx.x / across % along * block_y + threadIdx.y) * each;
  const int plane = blockIdx.x / (across * along);
  if (i >= mx || first >= m) return;
  const float* from = f + plane * plane_stride + i;
  float* to = df + plane * plane_stride + i;

  float v[places];
#pragma unroll
  for (int p = 0; p < places; ++p) v[p] = from[place_in_grid(first - halo + p, m) * stride];

#pragma unroll
  for (int p = 0; p < each; ++p) {
    const float* center = v + halo + p;
    float sum = 4.0f / 5 * (center[1] - center[-1]);
    sum -= 1.0f / 5 * (center[2] - center[-2]);
    sum += 4.0f / 105 * (center[3] - center[-3]);
    sum -= 1.0f / 280 * (center[4] - center[-4]);
    to[(first + p) * stride] = sum * scale;
  }
}

void derivative(const float* f, float* df, int mx, int m, int planes, int stride, int plane_stride,
                float scale) {
  const int across = (mx + block_x - 1) / block_x;
  const int along = (m + each * block_y - 1) / (each * block_y);
  derivative_kernel<<<across * along * planes, dim3(block_x, block_y)>>>(
      f, df, mx, m, stride, plane_stride, across, along, scale);
}

}  // namespace

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  derivative(f, df, mx, my, mz, mx, mx * my, 1.0f / spacing);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  derivative(f, df, mx, mz, my, mx * my, mx, spacing);
}
