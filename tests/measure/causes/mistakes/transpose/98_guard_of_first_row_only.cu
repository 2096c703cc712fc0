// CAUSE: A thread stores four elements, in four rows of out, but the guard asks each time whether the first of them is inside.
// LINES: 41
// REPAIR: line 41: `if (inside(first, columns, rows)) out[index_of(to, rows)] = tile[tx][ty + k * thread_rows];` -> `if (inside(to, columns, rows)) out[index_of(to, rows)] = tile[tx][ty + k * thread_rows];`
// SYMPTOM: Where the number of columns is not a multiple of 32, up to 24 rows after the end of out are written (out of bounds), with slots of the tile that nobody filled.

#include "transpose.h"

namespace {

constexpr int tile_edge = 32;
constexpr int thread_rows = 8;
constexpr int per_thread = tile_edge / thread_rows;

struct Place {
  int row, column;
};

__device__ bool inside(Place p, int rows, int columns) {
  return p.row < rows && p.column < columns;
}

__device__ int index_of(Place p, int columns) { return p.row * columns + p.column; }

__global__ void move_tile(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[tile_edge][tile_edge + 1];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;

  float value[per_thread];
  for (int k = 0; k < per_thread; ++k) {
    const Place from{int(blockIdx.y) * tile_edge + ty + k * thread_rows,
                     int(blockIdx.x) * tile_edge + tx};
    value[k] = inside(from, rows, columns) ? in[index_of(from, columns)] : 0.0f;
  }
  for (int k = 0; k < per_thread; ++k) tile[ty + k * thread_rows][tx] = value[k];
  __syncthreads();

  const Place first{int(blockIdx.x) * tile_edge + ty, int(blockIdx.y) * tile_edge + tx};
  Place to = first;
  for (int k = 0; k < per_thread; ++k) {
    if (inside(first, columns, rows)) out[index_of(to, rows)] = tile[tx][ty + k * thread_rows];
    to.row += thread_rows;
  }
}

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  const int across = (columns + tile_edge - 1) / tile_edge;
  const int down = (rows + tile_edge - 1) / tile_edge;
  move_tile<<<dim3(across, down), dim3(tile_edge, thread_rows)>>>(in, out, rows, columns);
}
