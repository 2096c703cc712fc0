// Step 2: small pencils, as in the source. A tile holds 64 points of each of 4 pencils and their
// halo; one thread per point.
//
// Per point: 72/64 = 1.13 global loads instead of 8. But the rows of a tile are 4 floats wide, so a
// warp's load touches 8 rows with 16 bytes of each. That is not coalesced well: it takes 8 sectors
// of 32 bytes and leaves half of each unused, where 4 would do. From L2 that makes 1.13 x 8 = 9
// bytes per point, and stores fill half sectors too.
//
// On GPUs without a cache for global loads, the loads that the tile saves were worth it. Where a
// cache has the neighbors anyway, half-used sectors and the barrier cost more than the tile saves:
// on an H200 this step is slower than step 1.
// Misses: memory

#include "derivatives.h"

namespace {

constexpr int halo = 4;
constexpr int tile_width = 4, tile_m = 64;
constexpr int block_y = tile_m;

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
  __shared__ float tile[halo + tile_m + halo][tile_width];
  const int tiles_m = (m + tile_m - 1) / tile_m,
            tiles_width = (width + tile_width - 1) / tile_width;
  const int first = blockIdx.x % tiles_m * tile_m;
  const int column = blockIdx.x / tiles_m % tiles_width * tile_width + threadIdx.x;
  const int start = blockIdx.x / tiles_m / tiles_width * m * width + column;

  for (int r = threadIdx.y; r < halo + tile_m + halo; r += block_y) {
    const int place = first + r - halo;
    if (column < width && place < m + halo) {
      tile[r][threadIdx.x] = f[start + wrap(place, m) * width];
    }
  }
  __syncthreads();

  const int place = first + threadIdx.y;
  if (column >= width || place >= m) return;
  const int r = threadIdx.y + halo, c = threadIdx.x;
  float sum = 0;
  for (int d = 1; d <= halo; ++d) sum += coefficient[d] * (tile[r + d][c] - tile[r - d][c]);
  df[start + place * width] = sum * scale;
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
