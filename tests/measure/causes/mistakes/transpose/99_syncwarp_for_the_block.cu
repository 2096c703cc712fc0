// CAUSE: Between the load and the store there is only __syncwarp(), which waits for the 32 threads of a warp; but the column that a thread reads was loaded by all warps of the block.
// LINES: 28
// REPAIR: line 28: `__syncwarp();` -> `__syncthreads();`
// SYMPTOM: A data race: threads read slots of the tile that other warps have not filled yet, and store old or arbitrary numbers.

#include "transpose.h"

// A warp loads every eighth row of the tile, and stores every eighth row of its transpose.


namespace {

template <int Edge, int Warps>
__global__ __launch_bounds__(Edge* Warps) void transpose_kernel(const float* in, float* out,
                                                                int rows, int columns) {
  static_assert(Edge == 32 && Edge % Warps == 0, "a warp per row");
  __shared__ float tile[Edge][Edge + 1];
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const int top = blockIdx.y * Edge;
  const int left = blockIdx.x * Edge;

  for (int r = warp; r < Edge; r += Warps) {
    const bool there = top + r < rows && left + lane < columns;
    tile[r][lane] = there ? in[(top + r) * columns + left + lane] : 0;
  }

  __syncwarp();

  for (int c = warp; c < Edge; c += Warps) {
    const bool there = left + c < columns && top + lane < rows;
    if (there) out[(left + c) * rows + top + lane] = tile[lane][c];
  }
}

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  constexpr int edge = 32, warps = 8;
  if (rows < 1 || columns < 1) return;
  dim3 grid;
  grid.x = (columns - 1) / edge + 1;
  grid.y = (rows - 1) / edge + 1;
  transpose_kernel<edge, warps><<<grid, 32 * warps>>>(in, out, rows, columns);
}
