// CAUSE: The halo behind the points begins after the last point that the tile has (points), which in the last tile are fewer than LENGTH.
// LINES: 38
// REPAIR: int after = start + points + threadIdx.y;
// SYMPTOM: In a last tile that is not full the halo holds wrong elements, or elements outside the array are read.

// One kernel for both directions: it gets the distance between neighbors along the axis. The field
// is cut into slabs of `stride` pencils side by side.
#include "derivatives.h"

#define H 4        /* halo */
#define WIDTH 32   /* pencils per tile */
#define LENGTH 64  /* points per tile and pencil */
#define ROWS 16

static __global__ void derive(const float* f, float* df, int stride, int m, float h) {
  __shared__ float s[LENGTH + 2 * H][WIDTH];
  const int across = (stride + WIDTH - 1) / WIDTH;
  const int along = (m + LENGTH - 1) / LENGTH;

  int tile = blockIdx.x;
  const int pencil = (tile % across) * WIDTH + threadIdx.x;
  tile /= across;
  const int start = (tile % along) * LENGTH;
  tile /= along;
  const int base = tile * m * stride + pencil;
  const int x = threadIdx.x;
  const bool inside = pencil < stride;
  const int points = min(LENGTH, m - start);

  if (inside) {
    for (int y = threadIdx.y; y < points; y += ROWS) {
      s[H + y][x] = f[base + (start + y) * stride];
    }
    if (threadIdx.y < H) {
      int before = start - H + threadIdx.y;
      if (before < 0) before += m - 1;
      s[threadIdx.y][x] = f[base + before * stride];
      int after = start + LENGTH + threadIdx.y;
      if (after >= m) after -= m - 1;
      s[H + points + threadIdx.y][x] = f[base + after * stride];
    }
  }
  __syncthreads();
  if (!inside) return;

  for (int y = threadIdx.y; y < points; y += ROWS) {
    const int c = y + H;
    float result = 4.0f / 5.0f * (s[c + 1][x] - s[c - 1][x]);
    result -= 1.0f / 5.0f * (s[c + 2][x] - s[c - 2][x]);
    result += 4.0f / 105.0f * (s[c + 3][x] - s[c - 3][x]);
    result -= 1.0f / 280.0f * (s[c + 4][x] - s[c - 4][x]);
    df[base + (start + y) * stride] = result / h;
  }
}

static void launch(const float* f, float* df, int stride, int m, int slabs, float h) {
  int across = (stride + WIDTH - 1) / WIDTH;
  int along = (m + LENGTH - 1) / LENGTH;
  dim3 threads(WIDTH, ROWS);
  derive<<<across * along * slabs, threads>>>(f, df, stride, m, h);
}

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  launch(f, df, mx, my, mz, spacing);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  launch(f, df, mx * my, mz, 1, spacing);
}
