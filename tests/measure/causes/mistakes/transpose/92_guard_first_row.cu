// CAUSE: The guard of the load checks only the first of the four rows that a thread loads. The others are y0 + 8, 16 and 24, and in the last tile they may be past the last row.
// LINES: 21
// REPAIR: line 21: `if (y0 + threadIdx.y < rows && c < columns) tile[k][threadIdx.x] = in[r * columns + c];` -> `if (r < rows && c < columns) tile[k][threadIdx.x] = in[r * columns + c];`
// SYMPTOM: Loads past the end of in, if the number of rows is not a multiple of 32.

#include "transpose.h"

namespace {

constexpr int kTile = 32, kRows = 8;

__global__ void move_tiles(const float* __restrict__ in, float* __restrict__ out, int rows,
                           int columns) {
  __shared__ float tile[kTile][kTile + 1];

  const int x0 = blockIdx.x * kTile, y0 = blockIdx.y * kTile;

#pragma unroll
  for (int k = threadIdx.y; k < kTile; k += kRows) {
    const int r = y0 + k, c = x0 + threadIdx.x;
    if (y0 + threadIdx.y < rows && c < columns) tile[k][threadIdx.x] = in[r * columns + c];
  }
  __syncthreads();

#pragma unroll
  for (int k = threadIdx.y; k < kTile; k += kRows) {
    const int r = x0 + k, c = y0 + threadIdx.x;
    if (r < columns && c < rows) out[r * rows + c] = tile[threadIdx.x][k];
  }
}

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  const auto tiles = [](int length) { return (length + kTile - 1) / kTile; };
  if (rows > 0 && columns > 0) {
    move_tiles<<<dim3(tiles(columns), tiles(rows)), dim3(kTile, kRows)>>>(in, out, rows, columns);
  }
}
