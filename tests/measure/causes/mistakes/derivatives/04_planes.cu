// CAUSE: The planes are put into the y direction of the grid of blocks, which holds at most 65,535 blocks. mz may be larger, and then the launch fails.
// LINES: 27, 28, 52
// REPAIR: `blockIdx.x / tiles_x * tile_y` -> `blockIdx.x / tiles_x % ((my + tile_y - 1) / tile_y) * tile_y` (line 27); and `blockIdx.y` -> `blockIdx.x / tiles_x / ((my + tile_y - 1) / tile_y)` (line 28); and `tiles_x * tiles_y, mz)` -> `tiles_x * tiles_y * mz)` (line 52)
// GOOD HINT: How many planes can a grid have at most, by the contract, and how many blocks can you launch in each direction? Task 2 says where to put them.
// SYMPTOM: Right for mz <= 65,535; above, derivative_y's launch fails (invalid configuration) and nothing is written. derivative_z has one plane and is right.
#include "derivatives.h"

namespace {

constexpr int halo = 4;
constexpr int tile_x = 32, tile_y = 64;
constexpr int block_x = 32, block_y = 8;
constexpr int rows = halo + tile_y + halo;

__constant__ float coefficient[halo + 1] = {0, 4.0f / 5, -1.0f / 5, 4.0f / 105, -1.0f / 280};

__device__ int wrap(int place, int m) {
  return place < 0 ? place + (m - 1) : place >= m ? place - (m - 1) : place;
}

__global__ void derivative_y_kernel(const float* f, float* df, int mx, int my, float scale) {
  __shared__ float tile[rows][tile_x];

  const int tiles_x = (mx + tile_x - 1) / tile_x;
  const int x = threadIdx.x;
  const int i = blockIdx.x % tiles_x * tile_x + x;
  const int first = blockIdx.x / tiles_x * tile_y;
  const int k = blockIdx.y;
  const int plane = k * mx * my;

  for (int r = threadIdx.y; r < rows; r += block_y) {
    const int place = first + r - halo;
    if (i < mx && place < my + halo) tile[r][x] = f[plane + wrap(place, my) * mx + i];
  }
  __syncthreads();

  for (int p = threadIdx.y; p < tile_y; p += block_y) {
    const int j = first + p;
    if (i >= mx || j >= my) break;
    float sum = 0;
    for (int d = 1; d <= halo; ++d)
      sum += coefficient[d] * (tile[p + halo + d][x] - tile[p + halo - d][x]);
    df[plane + j * mx + i] = sum * scale;
  }
}

}  // namespace

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  const int tiles_x = (mx + tile_x - 1) / tile_x;
  const int tiles_y = (my + tile_y - 1) / tile_y;
  const dim3 grid(tiles_x * tiles_y, mz);  // all tiles of a plane in x, the planes in y
  const dim3 block(block_x, block_y);
  derivative_y_kernel<<<grid, block>>>(f, df, mx, my, 1 / spacing);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  derivative_y(f, df, mx * my, mz, 1, spacing);
}
