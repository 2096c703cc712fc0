// CAUSE: For derivative_z the x-z planes are numbered by j and lie mx apart, but the grid is described as if they were mx * mz apart.
// LINES: 73
// REPAIR: line 73: `run(f, df, mx, Axis{mz, mx * my, my, mx * mz}, spacing);` -> `run(f, df, mx, Axis{mz, mx * my, my, mx}, spacing);`
// SYMPTOM: derivative_z reads and writes wrong points, and far out of bounds; derivative_y is right.

#include "derivatives.h"

namespace {

#define HALO 4
#define TILE 64
#define WIDTH 32
#define ROWS 8

// What a kernel has to know of the grid, seen along one axis.
struct Axis {
  int points;  // of a pencil
  int stride;  // between two points of a pencil
  int planes;  // that hold pencils side by side
  int plane_stride;
};

__device__ int wrapped(int place, int m) {
  if (place < 0) return place + m - 1;
  if (place >= m) return place - m + 1;
  return place;
}

__global__ void derive(const float* __restrict__ f, float* __restrict__ df, int mx, Axis axis,
                       float scale) {
  __shared__ float s[TILE + 2 * HALO][WIDTH];
  const int columns = (mx + WIDTH - 1) / WIDTH;
  const int i = (blockIdx.x % columns) * WIDTH + threadIdx.x;
  const int rest = blockIdx.x / columns;
  const int plane = rest % axis.planes;
  const int begin = rest / axis.planes * TILE;
  if (begin >= axis.points) return;
  f += plane * axis.plane_stride;
  df += plane * axis.plane_stride;

  const int end = min(begin + TILE, axis.points);
  if (i < mx) {
    for (int p = begin - HALO + int(threadIdx.y); p < end + HALO; p += ROWS)
      s[p - begin + HALO][threadIdx.x] = f[wrapped(p, axis.points) * axis.stride + i];
  }
  __syncthreads();

  if (i < mx) {
    for (int p = begin + threadIdx.y; p < end; p += ROWS) {
      const float* c = &s[p - begin + HALO][threadIdx.x];
      const float d1 = c[1 * WIDTH] - c[-1 * WIDTH];
      const float d2 = c[2 * WIDTH] - c[-2 * WIDTH];
      const float d3 = c[3 * WIDTH] - c[-3 * WIDTH];
      const float d4 = c[4 * WIDTH] - c[-4 * WIDTH];
      df[p * axis.stride + i] =
          scale * (4.0f / 5 * d1 - 1.0f / 5 * d2 + 4.0f / 105 * d3 - 1.0f / 280 * d4);
    }
  }
}

void run(const float* f, float* df, int mx, const Axis& axis, float spacing) {
  const int blocks = (mx + WIDTH - 1) / WIDTH * axis.planes * ((axis.points + TILE - 1) / TILE);
  derive<<<blocks, dim3(WIDTH, ROWS)>>>(f, df, mx, axis, 1.0f / spacing);
}

}  // namespace

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  run(f, df, mx, Axis{my, mx, mz, mx * my}, spacing);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  run(f, df, mx, Axis{mz, mx * my, my, mx * mz}, spacing);
}
