// CAUSE: The slots below the tile get the last four points of the tile once more: their place is first + tile_y + y, without taking the halo away again.
// LINES: 42
// REPAIR: line 42: `first + tile_y + y - halo` -> `first + tile_y + y`
// SYMPTOM: Wrong results in the last four rows of each tile that is followed by another one.

#include "derivatives.h"

namespace {

constexpr int halo = 4, tile_x = 32, tile_y = 64, block_y = 8;
constexpr float c1 = 4.0f / 5, c2 = -1.0f / 5, c3 = 4.0f / 105, c4 = -1.0f / 280;

struct Axis {
  int length, stride;       // of a pencil, and from one of its points to the next
  int planes, plane_stride;
};

template <int size>
__host__ __device__ constexpr int tiles(int length) {
  return (length + size - 1) / size;
}

__device__ int wrap(int place, int m) {
  return place < 0 ? place + m - 1 : place < m ? place : place - m + 1;
}

__global__ void stencil(const float* f, float* df, int mx, Axis axis, float scale) {
  __shared__ float tile[halo + tile_y + halo][tile_x];
  const int x = threadIdx.x, y = threadIdx.y;
  const int across = tiles<tile_x>(mx), along = tiles<tile_y>(axis.length);
  const int i = blockIdx.x % across * tile_x + x;
  const int first = blockIdx.x / across % along * tile_y;
  const int plane = blockIdx.x / across / along * axis.plane_stride;
  const auto load = [&](int slot, int place) {
    if (i < mx && place < axis.length + halo)
      tile[slot][x] = f[plane + wrap(place, axis.length) * axis.stride + i];
  };

  for (int row = y; row < tile_y; row += block_y) load(halo + row, first + row);
  if (y < halo) {
    load(y, first + y - halo);
    load(halo + tile_y + y, first + tile_y + y - halo);
  }
  __syncthreads();

  if (i >= mx) return;
  for (int row = y; row < tile_y && first + row < axis.length; row += block_y) {
    const auto difference = [&](int d) {
      return tile[halo + row + d][x] - tile[halo + row - d][x];
    };
    const float sum =
        c1 * difference(1) + c2 * difference(2) + c3 * difference(3) + c4 * difference(4);
    df[plane + (first + row) * axis.stride + i] = sum * scale;
  }
}

void launch(const float* f, float* df, int mx, Axis axis, float spacing) {
  const int blocks = tiles<tile_x>(mx) * tiles<tile_y>(axis.length) * axis.planes;
  stencil<<<blocks, dim3(tile_x, block_y)>>>(f, df, mx, axis, 1 / spacing);
}

}  // namespace

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  launch(f, df, mx, {my, mx, mz, mx * my}, spacing);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  launch(f, df, mx, {mz, mx * my, my, mx}, spacing);
}
