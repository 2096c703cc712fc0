// CAUSE: Threads without an element of in return before the barrier. They have to reach the barrier, and in a tile at the edge they may have an element of out to store, since the store's guard is another one.
// LINES: 19 20
// REPAIR: line 19: `if (tile_x + u >= width || tile_y + v >= height) return;` -> `if (tile_x + u < width && tile_y + v < height)`; line 20: `buffer[v * pitch + u] = src[(tile_y + v) * width + tile_x + u];` -> `buffer[v * pitch + u] = src[(tile_y + v) * width + tile_x + u];`
// SYMPTOM: Elements of out in tiles at the right and lower edge are never written, since the threads that should store them have returned.

#include "transpose.h"

constexpr int side = 32;
constexpr int pitch = side + 1;

__global__ void flip(const float* src, float* dst, int height, int width) {
  __shared__ float buffer[side * pitch];
  const int across = (width + side - 1) / side;
  const int tile_x = blockIdx.x % across * side;
  const int tile_y = blockIdx.x / across * side;
  const int u = threadIdx.x % side;
  const int v = threadIdx.x / side;

  if (tile_x + u >= width || tile_y + v >= height) return;
  buffer[v * pitch + u] = src[(tile_y + v) * width + tile_x + u];
  __syncthreads();

  if (tile_y + u < height && tile_x + v < width)
    dst[(tile_x + v) * height + tile_y + u] = buffer[u * pitch + v];
}

void transpose(const float* in, float* out, int rows, int columns) {
  const long long elements = static_cast<long long>(rows) * columns;
  if (elements == 0) return;
  const int across = (columns + side - 1) / side;
  const int down = (rows + side - 1) / side;
  flip<<<across * down, side * side>>>(in, out, rows, columns);
}
