// CAUSE: The store is guarded with the row and column of the element that the thread loaded, but it stores a different element, at outCol and outRow.
// LINES: 25
// REPAIR: if (outCol < rows && outRow < columns) out[outRow * rows + outCol] = tile[tx][ty];
// SYMPTOM: Where a tile reaches over the edge, elements are missing in out, others land in wrong places or outside, and slots are read that nobody filled. Right if both sizes are multiples of 32.
#include "transpose.h"

namespace {

constexpr int TILE = 32;

__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[TILE][TILE + 1];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int col = blockIdx.x * TILE + tx;
  const int row = blockIdx.y * TILE + ty;

  if (col < columns && row < rows) tile[ty][tx] = in[row * columns + col];
  __syncthreads();

  // the block goes to the mirrored place
  const int outCol = blockIdx.y * TILE + tx;
  const int outRow = blockIdx.x * TILE + ty;
  if (col < columns && row < rows) out[outRow * rows + outCol] = tile[tx][ty];
}

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  dim3 threads(TILE, TILE);
  dim3 blocks((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  transpose_kernel<<<blocks, threads>>>(in, out, rows, columns);
}
