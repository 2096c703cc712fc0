// CAUSE: Places right of the grid go back by m points, but the period is m - 1, since the last point repeats the first. The store checks only the place along the axis, so threads past the end of a row write to the next one.
// LINES: 28 48
// REPAIR: line 28: `inside -= m;` -> `inside -= m - 1;`; line 48: `j < m` -> `j < m && column < width`
// SYMPTOM: Wrong results at the right end of the axis, and columns past the grid overwrite other results or write out of bounds.

#include "derivatives.h"

#define HALO 4
#define WIDE 32
#define LONG 64
#define PER_THREAD 8
#define SLOT(place, pencil) window[(place) * WIDE + (pencil)]

static __global__ void slope(const float* __restrict__ field, float* __restrict__ out, int width,
                             int m, float reciprocal) {
  __shared__ float window[(LONG + 2 * HALO) * WIDE];
  const unsigned wide_tiles = (width + WIDE - 1) / WIDE, long_tiles = (m + LONG - 1) / LONG;
  const int pencil = threadIdx.x & (WIDE - 1), group = threadIdx.x / WIDE;
  const int column = int(blockIdx.x % wide_tiles) * WIDE + pencil;
  const int origin = int(blockIdx.x / wide_tiles % long_tiles) * LONG;
  const int layer = int(blockIdx.x / (wide_tiles * long_tiles)) * m;

  int place = origin - HALO + group;
  for (int s = group; s < LONG + 2 * HALO; s += PER_THREAD, place += PER_THREAD) {
    if (column >= width || place >= m + HALO) break;
    int inside = place;
    if (place < 0) inside += m - 1;
    if (place >= m) inside -= m;
    SLOT(s, pencil) = field[(layer + inside) * width + column];
  }
  __syncthreads();

  float v[PER_THREAD + 2 * HALO];
  const int own = group * PER_THREAD;
#pragma unroll
  for (int w = 0; w < PER_THREAD + 2 * HALO; ++w) {
    const bool there = column < width && origin + own + w - HALO < m + HALO;
    v[w] = there ? SLOT(own + w, pencil) : 0.0f;
  }
#pragma unroll
  for (int p = 0; p < PER_THREAD; ++p) {
    const float* at = &v[p + HALO];
    float sum = 0.8f * (at[1] - at[-1]);
    sum -= 0.2f * (at[2] - at[-2]);
    sum += 4.0f / 105.0f * (at[3] - at[-3]);
    sum -= 1.0f / 280.0f * (at[4] - at[-4]);
    const int j = origin + own + p;
    if (j < m) out[(layer + j) * width + column] = sum * reciprocal;
  }
}

static void run(const float* f, float* df, int width, int m, int layers, float h) {
  const int grid = (width + WIDE - 1) / WIDE * ((m + LONG - 1) / LONG) * layers;
  slope<<<grid, WIDE * PER_THREAD>>>(f, df, width, m, 1.0f / h);
}

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  run(f, df, mx, my, mz, spacing);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  run(f, df, mx * my, mz, 1, spacing);
}
