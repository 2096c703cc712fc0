// CAUSE: Element (r, c) lies in slot c ^ r of row r, and a thread stores the element with c = ty + step; but it looks for it in slot x ^ ty, without the step.
// LINES: 34
// REPAIR: line 34: `out[(column0 + y) * rows + row0 + x] = tile[x * edge + (x ^ ty)];` -> `out[(column0 + y) * rows + row0 + x] = tile[x * edge + (x ^ y)];`
// SYMPTOM: Only the first 8 of the 32 columns of a tile (step 0) are right; the others get elements of the first 8 columns.

#include "transpose.h"

// 32 x 8 threads move a tile of 32 x 32. No spare column: element (r, c) of the tile lies in slot
// c ^ r of row r, so that rows and columns both spread over all banks.

namespace {

constexpr int edge = 32;
constexpr int rows_at_once = 8;

__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[edge * edge];
  const int x = threadIdx.x, ty = threadIdx.y;
  const int row0 = blockIdx.y * edge, column0 = blockIdx.x * edge;

#pragma unroll
  for (int step = 0; step < edge; step += rows_at_once) {
    const int y = ty + step;
    if (row0 + y < rows && column0 + x < columns)
      tile[y * edge + (x ^ y)] = in[(row0 + y) * columns + column0 + x];
  }

  __syncthreads();

#pragma unroll
  for (int step = 0; step < edge; step += rows_at_once) {
    const int y = ty + step;
    if (column0 + y < columns && row0 + x < rows)
      out[(column0 + y) * rows + row0 + x] = tile[x * edge + (x ^ ty)];
  }
}

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  const dim3 block(edge, rows_at_once);
  const dim3 grid((columns + edge - 1) / edge, (rows + edge - 1) / edge);
  transpose_kernel<<<grid, block>>>(in, out, rows, columns);
}
