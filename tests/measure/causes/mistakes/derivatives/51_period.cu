// CAUSE: The last point of a pencil repeats its first, so the period is m - 1; wrap() uses m, as for a field without the repeated point.
// LINES: 15
// REPAIR: line 15: `const int period = m;` -> `const int period = m - 1;`
// SYMPTOM: Wrong derivatives at the first four and the last four points of each pencil, along y and z; all others are right.
#include "derivatives.h"

namespace {

constexpr int H = 4;
constexpr int TX = 32, TJ = 64, ROWS = 8;

__constant__ float weight[H] = {4.0f / 5, -1.0f / 5, 4.0f / 105, -1.0f / 280};

__device__ int wrap(int place, int m) {
  const int period = m;
  if (place < 0) return place + period;
  if (place >= m) return place - period;
  return place;
}

// Along any axis but x: m points a pencil, `stride` apart; planes are `plane_stride` apart.
__global__ void derivative_kernel(const float* f, float* df, int mx, int m, int stride,
                                  int plane_stride, float scale) {
  __shared__ float tile[H + TJ + H][TX];
  const int tiles_x = (mx + TX - 1) / TX, tiles_j = (m + TJ - 1) / TJ;
  int b = blockIdx.x;
  const int i = b % tiles_x * TX + threadIdx.x;
  b /= tiles_x;
  const int first = b % tiles_j * TJ;
  const int origin = b / tiles_j * plane_stride + i;

  if (i < mx) {
    for (int r = threadIdx.y; r < TJ + 2 * H; r += ROWS) {
      const int place = first + r - H;
      if (place < m + H) tile[r][threadIdx.x] = f[origin + wrap(place, m) * stride];
    }
  }
  __syncthreads();
  if (i >= mx) return;

  for (int r = threadIdx.y; r < TJ && first + r < m; r += ROWS) {
    float sum = 0;
#pragma unroll
    for (int d = 1; d <= H; ++d) {
      sum += weight[d - 1] * (tile[r + H + d][threadIdx.x] - tile[r + H - d][threadIdx.x]);
    }
    df[origin + (first + r) * stride] = scale * sum;
  }
}

int tiles(int mx, int m) { return (mx + TX - 1) / TX * ((m + TJ - 1) / TJ); }

}  // namespace

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  derivative_kernel<<<tiles(mx, my) * mz, dim3(TX, ROWS)>>>(f, df, mx, my, mx, mx * my,
                                                            1 / spacing);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  derivative_kernel<<<tiles(mx, mz) * my, dim3(TX, ROWS)>>>(f, df, mx, mz, mx * my, mx,
                                                            1 / spacing);
}
