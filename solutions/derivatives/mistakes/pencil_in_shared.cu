// All of 32 pencils in shared memory: (m + 8) * 128 bytes, which is more than 48 KB as soon as m is
// above 376.
// Test: derivative_y is right on long thin grids
// Says: failed with cudaErrorInvalid
// Task: 2 or 4

#include "derivatives.h"

namespace {

constexpr int halo = 4;
constexpr int tile_x = 32;
constexpr int block_y = 8;

__constant__ float coefficient[halo + 1] = {0, 4.0f / 5, -1.0f / 5, 4.0f / 105, -1.0f / 280};

__device__ int wrap(int place, int m) {
  if (place < 0) return place + (m - 1);
  if (place >= m) return place - (m - 1);
  return place;
}

__global__ void derivative_kernel(const float* f, float* df, int mx, int m, float scale) {
  extern __shared__ float tile[];
  const int tiles_x = (mx + tile_x - 1) / tile_x;
  const int i = blockIdx.x % tiles_x * tile_x + threadIdx.x;
  const int start = blockIdx.x / tiles_x * m * mx + i;

  for (int r = threadIdx.y; r < halo + m + halo; r += block_y) {
    const int place = r - halo;
    if (i < mx) tile[r * tile_x + threadIdx.x] = f[start + wrap(place, m) * mx];
  }
  __syncthreads();

  for (int row = threadIdx.y; row < m; row += block_y) {
    if (i >= mx) continue;
    const float* own = &tile[(row + halo) * tile_x + threadIdx.x];
    float sum = 0;
    for (int d = 1; d <= halo; ++d) {
      sum += coefficient[d] * (own[d * tile_x] - own[-d * tile_x]);
    }
    df[start + row * mx] = sum * scale;
  }
}

void derivative(const float* f, float* df, int mx, int m, int planes, float scale) {
  const int tiles = (mx + tile_x - 1) / tile_x * planes;
  const size_t shared_bytes = (m + 2 * halo) * tile_x * sizeof(float);
  derivative_kernel<<<tiles, dim3(tile_x, block_y), shared_bytes>>>(f, df, mx, m, scale);
}

}  // namespace

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  derivative(f, df, mx, my, mz, 1 / spacing);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  derivative(f, df, mx * my, mz, 1, 1 / spacing);
}
