// Step 3: large pencils, as in the source. A tile holds 64 points of each of 32 pencils; 32 x 8
// threads, each with every eighth point of its pencil.
//
// A warp's load is one row of the tile, fully coalesced: 128 contiguous bytes, 4 sectors, each used
// in full. From L2 72/64 x 4 = 4.5 bytes per point, half of what small pencils take. And each
// thread loads nine values that do not depend on each other, instead of one or two; nvcc 13.0 keeps
// four of them in flight at a time.
//
// Shared memory: 8 loads and 1.13 stores per point. A tile takes (4 + 64 + 4) x 32 x 4 = 9216
// bytes.

#include "derivatives.h"

namespace {

constexpr int halo = 4;
constexpr int tile_width = 32, tile_m = 64;
constexpr int block_y = 8;

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

  if (column >= width) return;
  for (int row = threadIdx.y; row < tile_m && first + row < m; row += block_y) {
    const int r = row + halo, c = threadIdx.x;
    float sum = 0;
    for (int d = 1; d <= halo; ++d) sum += coefficient[d] * (tile[r + d][c] - tile[r - d][c]);
    df[start + (first + row) * width] = sum * scale;
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
