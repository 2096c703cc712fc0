// CAUSE: The window is moved from its end to its beginning, so each element gets a value that has just been overwritten, and all of them become the newest one.
// LINES: 44
// REPAIR: line 44: `for (int q = 7; q >= 0; --q) window[q] = window[q + 1];` -> `for (int q = 0; q < 8; ++q) window[q] = window[q + 1];`
// SYMPTOM: Only the first point of each run of 16 is right; the differences of the others are 0 or have a wrong neighbor.
#include "derivatives.h"

namespace {

constexpr int run = 16;       // points per thread, one after the other along the axis
constexpr int across = 32;    // threads along x
constexpr int segments = 4;   // runs per block

__device__ int wrapped(int place, int m) {
  if (place < 0) place += m - 1;
  if (place >= m) place -= m - 1;
  return place;
}

// No tile: a thread keeps a point and its eight neighbors in registers.
__global__ void derivative_kernel(const float* f, float* df, int mx, int m, int stride,
                                  int plane_stride, float scale) {
  const int blocks_x = (mx + across - 1) / across;
  const int blocks_j = (m + run * segments - 1) / (run * segments);
  const int i = blockIdx.x % blocks_x * across + threadIdx.x;
  const int first = (blockIdx.x / blocks_x % blocks_j * segments + threadIdx.y) * run;
  const int plane = blockIdx.x / blocks_x / blocks_j;
  if (i >= mx || first >= m) return;
  f += plane * plane_stride + i;
  df += plane * plane_stride + i;

  float window[9];  // places j - 4 to j + 4
#pragma unroll
  for (int q = 0; q < 8; ++q) window[q] = f[wrapped(first - 4 + q, m) * stride];

  const int end = min(first + run, m);
  for (int j = first; j < end; ++j) {
    window[8] = f[wrapped(j + 4, m) * stride];
    float sum = 0.8f * (window[5] - window[3]);
    sum -= 0.2f * (window[6] - window[2]);
    sum += 4.0f / 105.0f * (window[7] - window[1]);
    sum -= 1.0f / 280.0f * (window[8] - window[0]);
    df[j * stride] = sum * scale;
#pragma unroll
    for (int q = 7; q >= 0; --q) window[q] = window[q + 1];
  }
}

void launch(const float* f, float* df, int mx, int m, int planes, int stride, int plane_stride,
            float spacing) {
  const int blocks_x = (mx + across - 1) / across;
  const int blocks_j = (m + run * segments - 1) / (run * segments);
  const dim3 block(across, segments);
  derivative_kernel<<<blocks_x * blocks_j * planes, block>>>(f, df, mx, m, stride, plane_stride,
                                                             1.0f / spacing);
}

}  // namespace

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  launch(f, df, mx, my, mz, mx, mx * my, spacing);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  launch(f, df, mx, mz, my, mx * my, mx, spacing);
}
