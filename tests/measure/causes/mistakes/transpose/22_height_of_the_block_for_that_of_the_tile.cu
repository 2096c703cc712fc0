// CAUSE: the first row of a tile is blockIdx.y * blockDim.y, but a tile has 32 rows and a block only 8
// LINES: 20
// REPAIR: blockIdx.y * edge
// GOOD HINT: Which rows of in does the block with blockIdx.y = 1 load, and which have been loaded by block 0?
// SYMPTOM: matrices of more than 32 rows: rows further down are missing, others are made several times

#include "transpose.h"

namespace {

constexpr int edge = 32;
constexpr int quarter = edge / 4;

struct Place {
  int row, col;
};

__device__ Place corner() {
  Place p;
  p.row = blockIdx.y * blockDim.y;
  p.col = blockIdx.x * blockDim.x;
  return p;
}

__global__ void transpose_tiles(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[edge][edge + 1];
  const Place first = corner();
  const int tx = threadIdx.x, ty = threadIdx.y;

#pragma unroll
  for (int q = 0; q < 4; ++q) {
    const int r = first.row + ty + q * quarter, c = first.col + tx;
    if (r < rows && c < columns) tile[ty + q * quarter][tx] = in[r * columns + c];
  }
  __syncthreads();
#pragma unroll
  for (int q = 0; q < 4; ++q) {
    const int r = first.row + tx, c = first.col + ty + q * quarter;
    if (r < rows && c < columns) out[c * rows + r] = tile[tx][ty + q * quarter];
  }
}

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  const dim3 threads(edge, quarter);
  const dim3 grid((columns + edge - 1) / edge, (rows + edge - 1) / edge);
  transpose_tiles<<<grid, threads>>>(in, out, rows, columns);
}
