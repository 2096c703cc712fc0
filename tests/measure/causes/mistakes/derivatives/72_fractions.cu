// CAUSE: -1 / 280 is a division of integers, and its result is 0, so the neighbors at distance 4 do not count.
// LINES: 25
// REPAIR: const float c4 = -1.0f / 280;
// SYMPTOM: Derivatives are a little off everywhere (except where the field is constant along the axis), and the error does not fall with eighth order.
#include "derivatives.h"

namespace {

constexpr int HALO = 4;
constexpr int TILE_X = 32;
constexpr int TILE_Y = 64;
constexpr int ROWS = 8;  // of threads

__device__ int wrap(int place, int m) {
  if (place < 0) return place + (m - 1);
  if (place >= m) return place - (m - 1);
  return place;
}

// The derivative at the point that `p` points to; the neighbors are TILE_X apart.
__device__ float derivative(const float* p, float scale) {
  const float c1 = 4.0f / 5;
  const float c2 = -1.0f / 5;
  const float c3 = 4.0f / 105;
  const float c4 = -1 / 280;
  float sum = c1 * (p[TILE_X] - p[-TILE_X]);
  sum += c2 * (p[2 * TILE_X] - p[-2 * TILE_X]);
  sum += c3 * (p[3 * TILE_X] - p[-3 * TILE_X]);
  sum += c4 * (p[4 * TILE_X] - p[-4 * TILE_X]);
  return sum * scale;
}

__global__ void derivative_y_kernel(const float* f, float* df, int mx, int my, float scale) {
  __shared__ float tile[TILE_Y + 2 * HALO][TILE_X];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int tilesX = (mx + TILE_X - 1) / TILE_X;
  const int tilesY = (my + TILE_Y - 1) / TILE_Y;

  int block = blockIdx.x;
  const int i = (block % tilesX) * TILE_X + tx;
  block /= tilesX;
  const int j0 = (block % tilesY) * TILE_Y;
  const int k = block / tilesY;
  const float* plane = f + k * my * mx;
  float* dplane = df + k * my * mx;

  if (i < mx) {
    for (int r = ty; r < TILE_Y + 2 * HALO; r += ROWS) {
      const int place = j0 + r - HALO;
      if (place < my + HALO) tile[r][tx] = plane[wrap(place, my) * mx + i];
    }
  }
  __syncthreads();

  if (i < mx) {
    for (int r = ty; r < TILE_Y && j0 + r < my; r += ROWS) {
      dplane[(j0 + r) * mx + i] = derivative(&tile[r + HALO][tx], scale);
    }
  }
}

}  // namespace

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  const int tilesX = (mx + TILE_X - 1) / TILE_X;
  const int tilesY = (my + TILE_Y - 1) / TILE_Y;
  const dim3 threads(TILE_X, ROWS);
  derivative_y_kernel<<<tilesX * tilesY * mz, threads>>>(f, df, mx, my, 1.0f / spacing);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  derivative_y(f, df, mx * my, mz, 1, spacing);
}
