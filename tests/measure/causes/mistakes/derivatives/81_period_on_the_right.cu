// CAUSE: The period is m - 1, because the last point repeats the first. On the left the place is moved by m - 1, but on the right by m, so place m becomes 0 instead of 1.
// LINES: 17
// REPAIR: line 17: `else if (p > m - 1) p -= m;` -> `else if (p > m - 1) p -= m - 1;`
// SYMPTOM: Wrong derivatives at the last four points of each pencil, and only there.

#include "derivatives.h"

namespace {

constexpr int H = 4;
constexpr int NX = 32;   // pencils of a tile
constexpr int NL = 64;   // points of each
constexpr int TY = 8;

__device__ int periodic(int p, int m) {
  if (p < 0) p += m - 1;
  else if (p > m - 1) p -= m;
  return p;
}

// A line of points: `length` of them, `stride` apart.
struct Axis {
  int length;
  int stride;
};

// `inner` pencils lie side by side, and the next group of them is inner * length further on.
__global__ void derive(const float* f, float* df, Axis axis, int inner, float scale) {
  __shared__ float tile[NL + 2 * H][NX];
  const int tilesX = (inner + NX - 1) / NX;
  const int tilesL = (axis.length + NL - 1) / NL;
  int b = blockIdx.x;
  const int i = b % tilesX * NX + threadIdx.x;
  b /= tilesX;
  const int first = b % tilesL * NL;
  const int group = b / tilesL;
  const int start = group * inner * axis.length + i;

  if (i < inner) {
    for (int s = threadIdx.y; s < NL + 2 * H; s += TY) {
      const int place = first + s - H;
      if (place < axis.length + H) {
        tile[s][threadIdx.x] = f[start + periodic(place, axis.length) * axis.stride];
      }
    }
  }
  __syncthreads();
  if (i >= inner) return;

  for (int s = threadIdx.y; s < NL && first + s < axis.length; s += TY) {
    const float* c = &tile[s + H][threadIdx.x];
    const float sum = 0.8f * (c[NX] - c[-NX]) - 0.2f * (c[2 * NX] - c[-2 * NX]) +
                      4.0f / 105.0f * (c[3 * NX] - c[-3 * NX]) -
                      1.0f / 280.0f * (c[4 * NX] - c[-4 * NX]);
    df[start + (first + s) * axis.stride] = sum * scale;
  }
}

void launch(const float* f, float* df, Axis axis, int inner, int groups, float spacing) {
  const int tiles = ((inner + NX - 1) / NX) * ((axis.length + NL - 1) / NL) * groups;
  derive<<<tiles, dim3(NX, TY)>>>(f, df, axis, inner, 1.0f / spacing);
}

}  // namespace

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  launch(f, df, Axis{my, mx}, mx, mz, spacing);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  launch(f, df, Axis{mz, mx * my}, mx * my, 1, spacing);
}
