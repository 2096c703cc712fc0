// Reference solution: a tile of 64 x 64 elements in shared memory with a column to spare, and eight
// elements per thread. A warp reads 128 bytes of a row of `in` and writes 128 bytes of a row of
// `out`. The loads of a thread do not wait for each other: up to 32 bytes per thread are in flight.
//
// Blocks that follow each other run at the same time. Here they have tiles below one another, so
// that what they write is side by side in `out`. In step 6 what they read is side by side in `in`.
// On an H200 the first is faster, with 97% of the copy's speed and not 94%.

#include "transpose.h"

namespace {

constexpr int edge = 64;             // of a tile
constexpr int height = 8;            // rows of threads in a block
constexpr int each = edge / height;  // elements per thread

__global__ void __launch_bounds__(edge* height)
    transpose_kernel(const float* __restrict__ in, float* __restrict__ out, int rows, int columns) {
  // The spare column moves each row on by one bank, so that a column has an element in every bank.
  __shared__ float tile[edge][edge + 1];
  const int x = threadIdx.x;
  const int first_row = blockIdx.x * edge;
  const int first_column = blockIdx.y * edge;

  const int c = first_column + x;
#pragma unroll
  for (int k = 0; k < each; ++k) {
    const int y = threadIdx.y + k * height;
    const int r = first_row + y;
    if (r < rows && c < columns) tile[y][x] = in[r * columns + c];
  }
  __syncthreads();

  // From here on x runs along a row of `out`, which is a column of the tile.
  const int r = first_row + x;
#pragma unroll
  for (int k = 0; k < each; ++k) {
    const int y = threadIdx.y + k * height;
    const int out_row = first_column + y;
    if (r < rows && out_row < columns) out[out_row * rows + r] = tile[x][y];
  }
}

int tiles(int elements) { return (elements + edge - 1) / edge; }

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  const dim3 grid(tiles(rows), tiles(columns));
  transpose_kernel<<<grid, dim3(edge, height)>>>(in, out, rows, columns);
}
