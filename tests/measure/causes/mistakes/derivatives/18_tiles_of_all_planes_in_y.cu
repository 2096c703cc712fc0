// CAUSE: the number of the tile along y is not taken modulo the tiles of a plane, so from the second plane on the tile begins past the grid
// LINES: 28
// REPAIR: blockIdx.x / tiles_x % tiles_y * H
// GOOD HINT: Which tile along y does the first block of the second plane have?
// SYMPTOM: planes after the first are not written, or stray accesses

#include "derivatives.h"

namespace {

constexpr int halo = 4;
constexpr int W = 32, H = 64;
constexpr int ROWS = 8;

__constant__ float coefficient[halo + 1] = {0, 4.0f / 5, -1.0f / 5, 4.0f / 105, -1.0f / 280};

__device__ int wrap(int place, int m) {
  if (place < 0) return place + m - 1;
  if (place >= m) return place - (m - 1);
  return place;
}

__global__ void derivative_y_kernel(const float* f, float* df, int mx, int my, float scale) {
  __shared__ float tile[halo + H + halo][W];
  const int tiles_x = (mx + W - 1) / W;
  const int tiles_y = (my + H - 1) / H;
  const int i = blockIdx.x % tiles_x * W + threadIdx.x;
  const int first = blockIdx.x / tiles_x * H;
  const int z = blockIdx.x / tiles_x / tiles_y;
  const float* plane = f + z * my * mx;

  for (int r = threadIdx.y; r < H + 2 * halo; r += ROWS) {
    const int place = first + r - halo;
    if (i < mx && place < my + halo) {
      tile[r][threadIdx.x] = plane[wrap(place, my) * mx + i];
    }
  }
  __syncthreads();

  for (int r = threadIdx.y; r < H; r += ROWS) {
    const int j = first + r;
    if (i >= mx || j >= my) continue;
    float sum = 0;
    for (int d = 1; d <= halo; ++d) {
      sum += coefficient[d] * (tile[r + halo + d][threadIdx.x] - tile[r + halo - d][threadIdx.x]);
    }
    df[(z * my + j) * mx + i] = sum * scale;
  }
}

}  // namespace

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  const int blocks = ((mx + W - 1) / W) * ((my + H - 1) / H) * mz;
  derivative_y_kernel<<<blocks, dim3(W, ROWS)>>>(f, df, mx, my, 1 / spacing);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  // a plane of x and y is one long row, so z takes the place of y
  derivative_y(f, df, mx * my, mz, 1, spacing);
}
