// CAUSE: wrap() uses the remainder for every place. That also moves the last point of the grid, m - 1, to place 0, though a place within the grid has to be read as it is.
// LINES: 20
// REPAIR: `return (place + m - 1) % (m - 1);` -> `return place >= 0 && place < m ? place : (place + m - 1) % (m - 1);` (line 20)
// GOOD HINT: Put the places -1, 0, m - 1 and m into your formula. Which of them may wrap() change, according to derivatives.h?
// SYMPTOM: Wrong at the points that have place m - 1 as a neighbor (m - 5 to m - 2) as soon as f[m - 1] differs from f[0], such as with noise; right for truly periodic fields.
// Lab derivatives

#include "derivatives.h"

namespace {

constexpr int halo = 4;
constexpr int tile_x = 32, tile_y = 64;
constexpr int block_x = 32, block_y = 8;

__constant__ float coefficient[halo + 1] = {0, 4.0f / 5, -1.0f / 5, 4.0f / 105, -1.0f / 280};

// the field is periodic
__device__ int wrap(int place, int m) {
  return (place + m - 1) % (m - 1);
}

__global__ void derivative_y_kernel(const float* f, float* df, int mx, int my, float scale) {
  __shared__ float tile[halo + tile_y + halo][tile_x];

  const int tiles_x = (mx + tile_x - 1) / tile_x;
  const int tiles_y = (my + tile_y - 1) / tile_y;
  const int tx = blockIdx.x % tiles_x;
  const int ty = blockIdx.x / tiles_x % tiles_y;
  const int k = blockIdx.x / (tiles_x * tiles_y);
  const int i = tx * tile_x + threadIdx.x;
  const int first = ty * tile_y;

  for (int r = threadIdx.y; r < halo + tile_y + halo; r += block_y) {
    const int j = first + r - halo;
    if (i < mx && j < my + halo) tile[r][threadIdx.x] = f[(k * my + wrap(j, my)) * mx + i];
  }
  __syncthreads();

  for (int p = threadIdx.y; p < tile_y; p += block_y) {
    const int j = first + p;
    if (i < mx && j < my) {
      float sum = 0;
      for (int d = 1; d <= halo; ++d) {
        sum += coefficient[d] * (tile[p + halo + d][threadIdx.x] - tile[p + halo - d][threadIdx.x]);
      }
      df[(k * my + j) * mx + i] = sum * scale;
    }
  }
}

}  // namespace

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  const int tiles_x = (mx + tile_x - 1) / tile_x;
  const int tiles_y = (my + tile_y - 1) / tile_y;
  derivative_y_kernel<<<tiles_x * tiles_y * mz, dim3(block_x, block_y)>>>(f, df, mx, my, 1 / spacing);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  derivative_y(f, df, mx * my, mz, 1, spacing);
}
