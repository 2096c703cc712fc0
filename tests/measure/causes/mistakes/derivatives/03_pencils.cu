// CAUSE: The tile is stored pencil by pencil, so neighboring lanes are 72 words apart in shared memory. 72 is a multiple of 8, so the 32 lanes of a warp use only 4 banks.
// LINES: 24
// REPAIR: `[halo + tile_y + halo];` -> `[halo + tile_y + halo + 1];` (line 24)
// GOOD HINT: By how many words do the slots of lanes 0 and 1 differ in your tile? In which banks are the slots of the 32 lanes, and what did you do about that in `transpose`?
// SYMPTOM: Results right; 8-way bank conflicts in every load from and store to the tile, slow.
#include "derivatives.h"

namespace {

constexpr int halo = 4;
constexpr int tile_x = 32, tile_y = 64;
constexpr int block_x = 32, block_y = 8;

__constant__ float coefficient[halo + 1] = {0, 4.0f / 5, -1.0f / 5, 4.0f / 105, -1.0f / 280};

__device__ int wrap(int place, int m) {
  if (place < 0) return place + m - 1;
  if (place > m - 1) return place - (m - 1);
  return place;
}

__global__ void derivative_y_kernel(const float* f, float* df, int mx, int my, float scale) {
  // tile[c] is pencil c with its halo
  __shared__ float tile[tile_x][halo + tile_y + halo];

  const int tiles_x = (mx + tile_x - 1) / tile_x;
  const int tiles_y = (my + tile_y - 1) / tile_y;
  const int i = blockIdx.x % tiles_x * tile_x + threadIdx.x;
  const int first = blockIdx.x / tiles_x % tiles_y * tile_y;
  const int k = blockIdx.x / tiles_x / tiles_y;

  float* pencil = tile[threadIdx.x];
  if (i < mx) {
    for (int r = threadIdx.y; r < halo + tile_y + halo; r += block_y) {
      const int place = first + r - halo;
      if (place < my + halo) pencil[r] = f[(k * my + wrap(place, my)) * mx + i];
    }
  }

  __syncthreads();

  if (i >= mx) return;
  for (int p = threadIdx.y; p < tile_y && first + p < my; p += block_y) {
    const float* here = pencil + halo + p;
    float sum = 0;
    for (int d = 1; d <= halo; ++d) sum += coefficient[d] * (here[d] - here[-d]);
    df[(k * my + first + p) * mx + i] = sum * scale;
  }
}

}  // namespace

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  const int tiles_x = (mx + tile_x - 1) / tile_x;
  const int tiles_y = (my + tile_y - 1) / tile_y;
  const dim3 block(block_x, block_y);
  derivative_y_kernel<<<tiles_x * tiles_y * mz, block>>>(f, df, mx, my, 1 / spacing);
}

// A plane is one long row.
void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  derivative_y(f, df, mx * my, mz, 1, spacing);
}
