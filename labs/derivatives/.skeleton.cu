// Lab `derivatives`: df/dy and df/dz of a periodic field, with each point of `f` loaded from global
// memory little more than once. derivatives.h documents the functions, README.md explains the
// steps, and derivative_x.cu shows them for df/dx.

#include "derivatives.h"

namespace {

constexpr int halo = 4;                   // neighbors on either side
constexpr int tile_x = 32, tile_y = 64;   // a tile: 32 pencils, 64 points of each
constexpr int block_x = 32, block_y = 8;  // a thread has every eighth point of its pencil

// coefficient[d] belongs to the neighbors at distance d.
__constant__ float coefficient[halo + 1] = {0, 4.0f / 5, -1.0f / 5, 4.0f / 105, -1.0f / 280};

__device__ int wrap(int place, int m) {
  // TODO 1: Return where a pencil of m points holds this place: one period of m - 1 further on if
  //         the place is left of the grid, one period back if it is right of it (about 3 lines).
  (void)m;
  return place;
}

__global__ void derivative_y_kernel(const float* f, float* df, int mx, int my, float scale) {
  __shared__ float tile[halo + tile_y + halo][tile_x];

  // TODO 3: Find this block's tile: the i of this thread, the j of the tile's first point, and
  //         the k of its plane (about 5 lines).

  // TODO 4: Load the tile and its halo: slot r holds the place first + r - halo (about 4 lines).

  // TODO 5: Wait until the whole tile is loaded (1 line).

  // TODO 6: Store the derivatives of the tile's points, where there is a point (about 7 lines).
  (void)&tile, (void)f, (void)df, (void)mx, (void)my, (void)scale;
  (void)coefficient, (void)wrap, (void)block_x, (void)block_y;
}

}  // namespace

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  // TODO 2: Launch derivative_y_kernel with a block per tile, all in the grid's x direction, and
  //         with scale = 1 / spacing (about 4 lines).
  (void)f, (void)df, (void)mx, (void)my, (void)mz, (void)spacing, (void)derivative_y_kernel;
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  // TODO 7: Do the same along z, on x-z tiles (1 line, if you see what z and y have in common).
  (void)f, (void)df, (void)mx, (void)my, (void)mz, (void)spacing;
}
