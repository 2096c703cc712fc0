// Step 5: no tile. A thread loads the sixteen places of its eight points straight into registers.
//
// Per point: 16/8 = 2 global loads, 1.13 of them from L2 and the rest from L1: the other thread
// that needs the place belongs to the same block. No shared memory, and no barrier at which a block
// waits for its slowest load: sixteen independent loads per thread keep the memory busy.
//
// After this comes the reference solution: the same with four pencils side by side in a float4.

#include "derivatives.h"

namespace {

constexpr int halo = 4;
constexpr int tile_width = 32, tile_m = 64;
constexpr int block_y = 8;
constexpr int points = tile_m / block_y;  // of a pencil, per thread
constexpr int window = halo + points + halo;

__constant__ float coefficient[halo + 1] = {0, 4.0f / 5, -1.0f / 5, 4.0f / 105, -1.0f / 280};

__device__ int wrap(int place, int m) {
  if (place < 0) return place + (m - 1);
  if (place >= m) return place - (m - 1);
  return place;
}

// For a grid of planes, each of m rows of `width`, the derivative from row to row. Along z a plane
// of mx * my points is one long row, and there is one plane. Tiles are numbered along the pencils
// first.
__global__ void derivative_kernel(const float* f, float* df, int width, int m, float scale) {
  const int tiles_m = (m + tile_m - 1) / tile_m,
            tiles_width = (width + tile_width - 1) / tile_width;
  const int first = blockIdx.x % tiles_m * tile_m + threadIdx.y * points;
  const int column = blockIdx.x / tiles_m % tiles_width * tile_width + threadIdx.x;
  const int start = blockIdx.x / tiles_m / tiles_width * m * width + column;
  if (column >= width) return;

  float value[window];
#pragma unroll
  for (int w = 0; w < window; ++w) {
    const int place = first + w - halo;
    value[w] = place < m + halo ? f[start + wrap(place, m) * width] : 0;
  }
#pragma unroll
  for (int p = 0; p < points; ++p) {
    if (first + p >= m) break;
    float sum = 0;
#pragma unroll
    for (int d = 1; d <= halo; ++d) {
      sum += coefficient[d] * (value[p + halo + d] - value[p + halo - d]);
    }
    df[start + (first + p) * width] = sum * scale;
  }
}

int blocks_for(int count, int per_block) { return (count + per_block - 1) / per_block; }

void derivative(const float* f, float* df, int width, int m, int planes, float spacing) {
  const int tiles = blocks_for(width, tile_width) * blocks_for(m, tile_m) * planes;
  derivative_kernel<<<tiles, dim3(tile_width, block_y)>>>(f, df, width, m, 1 / spacing);
}

}  // namespace

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  derivative(f, df, mx, my, mz, spacing);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  derivative(f, df, mx * my, mz, 1, spacing);
}
