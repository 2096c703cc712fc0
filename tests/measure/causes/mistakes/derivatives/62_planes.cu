// CAUSE: Along z there are my planes of pencils, but derivative_z launches blocks for mz of them, as along y.
// LINES: 77
// REPAIR: grid_for(mx, mz, my)
// SYMPTOM: derivative_z is right if my equals mz; it leaves points out if my is larger, and reads and writes past the arrays if mz is larger.

#include "derivatives.h"

namespace {

constexpr int H = 4;
constexpr int TX = 32;  // pencils in a tile
constexpr int TL = 64;  // points of each
constexpr int BY = 8;

__constant__ float weight[H] = {0.8f, -0.2f, 4.0f / 105.0f, -1.0f / 280.0f};

struct Axis {
  int points;        // of a pencil
  int stride;        // between the points of a pencil
  int plane_stride;  // between pencils with the same i
};

__device__ int wrap(int place, int m) {
  const int period = m - 1;
  if (place < 0) {
    place += period;
  } else if (place >= m) {
    place -= period;
  }
  return place;
}

__global__ void derivative_kernel(const float* f, float* df, int mx, Axis axis, float scale) {
  __shared__ float tile[TL + 2 * H][TX];

  const int across = (mx + TX - 1) / TX;
  const int along = (axis.points + TL - 1) / TL;
  int b = blockIdx.x;
  const int i = TX * (b % across) + threadIdx.x;
  b /= across;
  const int first = TL * (b % along);
  const int origin = b / along * axis.plane_stride + i;

  if (i < mx) {
    for (int r = threadIdx.y; r < TL + 2 * H; r += BY) {
      const int place = first - H + r;
      if (place >= axis.points + H) break;
      tile[r][threadIdx.x] = f[origin + wrap(place, axis.points) * axis.stride];
    }
  }
  __syncthreads();
  if (i >= mx) return;

  for (int r = threadIdx.y; r < TL && first + r < axis.points; r += BY) {
    const float* own = &tile[r + H][threadIdx.x];
    float sum = 0;
#pragma unroll
    for (int d = 1; d <= H; ++d) sum += weight[d - 1] * (own[d * TX] - own[-d * TX]);
    df[origin + (first + r) * axis.stride] = sum * scale;
  }
}

// All tiles in the x direction of the grid.
int grid_for(int mx, int points, int planes) {
  return (mx + TX - 1) / TX * ((points + TL - 1) / TL) * planes;
}

}  // namespace

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  const Axis y = {my, mx, mx * my};
  derivative_kernel<<<grid_for(mx, my, mz), dim3(TX, BY)>>>(f, df, mx, y, 1.0f / spacing);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  const Axis z = {mz, mx * my, mx};
  derivative_kernel<<<grid_for(mx, mz, mz), dim3(TX, BY)>>>(f, df, mx, z, 1.0f / spacing);
}
