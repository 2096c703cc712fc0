// CAUSE: (1) The tile has four spare columns, so eight rows go around the banks once and four lanes share a bank when a column is read. (2) The guard of the load lets one row too many in.
// LINES: 14 21
// REPAIR: (1) __shared__ float tile[edge][edge + 1]; (2) r < rows
// SYMPTOM: Bank conflicts (5 wavefronts per 32 elements instead of 2), and a read past the end of in when rows is not a multiple of 32.

#include "transpose.h"

namespace {

constexpr int edge = 32;
constexpr int step = 8;

__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[edge][edge + 4];
  const int x = threadIdx.x;
  const int top = blockIdx.y * edge;   // first row of the tile in `in`
  const int left = blockIdx.x * edge;  // first column

  for (int y = threadIdx.y; y < edge; y += step) {
    const int r = top + y, c = left + x;
    if (r <= rows && c < columns) tile[y][x] = in[r * columns + c];
  }

  __syncthreads();

  for (int y = threadIdx.y; y < edge; y += step) {
    const int r = left + y, c = top + x;
    if (r < columns && c < rows) out[r * rows + c] = tile[x][y];
  }
}

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  const dim3 grid((columns - 1) / edge + 1, (rows - 1) / edge + 1);
  transpose_kernel<<<grid, dim3(edge, step)>>>(in, out, rows, columns);
}
