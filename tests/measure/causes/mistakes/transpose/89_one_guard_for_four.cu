// CAUSE: The guard of the load asks each time for the first of the four rows of a thread instead of the row of this round.
// LINES: 23
// REPAIR: line 23: `top + int(threadIdx.y) < rows` -> `top + y < rows`
// SYMPTOM: In tiles that the matrix does not fill, rows past the end are read out of bounds.

#include "transpose.h"

namespace {

constexpr int edge = 32, depth = 8;

struct Swizzled {
  float* slots;
  __device__ float& at(int row, int column) { return slots[row * edge + (column ^ row)]; }
};

__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float slots[edge * edge];
  Swizzled tile{slots};
  const int x = threadIdx.x, left = blockIdx.x * edge, top = blockIdx.y * edge;

  for (int y = threadIdx.y; y < edge; y += depth) {
    const bool inside = top + int(threadIdx.y) < rows && left + x < columns;
    if (inside) tile.at(y, x) = in[(top + y) * columns + left + x];
  }
  __syncthreads();
#pragma unroll
  for (int y = threadIdx.y; y < edge; y += depth)
    if (left + y < columns && top + x < rows)
      out[(left + y) * rows + top + x] = tile.at(x, y);
}

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  const dim3 grid((columns - 1) / edge + 1, (rows - 1) / edge + 1);
  transpose_kernel<<<grid, dim3(edge, depth)>>>(in, out, rows, columns);
}
