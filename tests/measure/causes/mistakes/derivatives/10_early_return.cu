// CAUSE: Threads right of the grid return before the barrier. __syncthreads() has to be reached by all threads of the block.
// LINES: 30, 34, after 37
// REPAIR: delete `if (i >= mx) return;  // no pencil` (line 30); and `if (j < my + halo)` -> `if (i < mx && j < my + halo)` (line 34); and insert `if (i >= mx) return;` after line 37
// GOOD HINT: In the last tile along x, which threads come to your barrier? What does __syncthreads() ask of all threads of a block, also of those that have no point?
// SYMPTOM: Where mx is no multiple of 32: a barrier that not all threads of the block reach (reported by the emulator; undefined on a GPU, though results are often right).
#include "derivatives.h"

namespace {

constexpr int halo = 4;
constexpr int tile_x = 32, tile_y = 64;
constexpr int block_x = 32, block_y = 16;

__constant__ float coefficient[halo + 1] = {0, 4.0f / 5, -1.0f / 5, 4.0f / 105, -1.0f / 280};

__device__ int wrap(int place, int m) {
  if (place < 0) return place + (m - 1);
  if (place >= m) return place - (m - 1);
  return place;
}

__global__ void derivative_y_kernel(const float* f, float* df, int mx, int my, float scale) {
  __shared__ float tile[halo + tile_y + halo][tile_x];

  const int tiles_x = (mx + tile_x - 1) / tile_x;
  const int tiles_y = (my + tile_y - 1) / tile_y;
  const int i = blockIdx.x % tiles_x * tile_x + threadIdx.x;
  const int first = blockIdx.x / tiles_x % tiles_y * tile_y;
  const int k = blockIdx.x / tiles_x / tiles_y;
  if (i >= mx) return;  // no pencil

  for (int r = threadIdx.y; r < halo + tile_y + halo; r += block_y) {
    const int j = first + r - halo;
    if (j < my + halo) tile[r][threadIdx.x] = f[(k * my + wrap(j, my)) * mx + i];
  }

  __syncthreads();

  for (int p = threadIdx.y; p < tile_y; p += block_y) {
    const int j = first + p;
    if (j < my) {
      float sum = 0;
      for (int d = 1; d <= halo; ++d) {
        sum += coefficient[d] * (tile[halo + p + d][threadIdx.x] - tile[halo + p - d][threadIdx.x]);
      }
      df[(k * my + j) * mx + i] = sum * scale;
    }
  }
}

}  // namespace

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  const int tiles_x = (mx + tile_x - 1) / tile_x;
  const int tiles_y = (my + tile_y - 1) / tile_y;
  const dim3 block(block_x, block_y);
  derivative_y_kernel<<<tiles_x * tiles_y * mz, block>>>(f, df, mx, my, 1 / spacing);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  derivative_y(f, df, mx * my, mz, 1, spacing);
}
