// CAUSE: Element (r, c) was stored in slot c ^ r of row r. The store to out wants row x and column y of the tile, so it has to read slot y ^ x; it reads slot y.
// LINES: 25
// REPAIR: line 25: `if (out_r < columns && out_c < rows) out[out_r * rows + out_c] = tile[x][y];` -> `if (out_r < columns && out_c < rows) out[out_r * rows + out_c] = tile[x][slot(x, y)];`
// SYMPTOM: Within each tile the columns are mixed up: most elements of out are wrong, and at the edges it reads slots that nobody wrote.
#include "transpose.h"

namespace {

constexpr int edge = 32;

// The slot of a row that holds column c; neighbors in a column are in different banks.
__device__ inline int slot(int r, int c) { return r ^ c; }

__global__ void transpose_swizzled(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[edge][edge];
  const int x = threadIdx.x, y = threadIdx.y;
  const int top = blockIdx.y * edge, left = blockIdx.x * edge;

  const int r = top + y, c = left + x;
  const bool inside = r < rows && c < columns;
  if (inside) tile[y][slot(y, x)] = in[r * columns + c];
  __syncthreads();

  const int out_r = left + y, out_c = top + x;
  if (out_r < columns && out_c < rows) out[out_r * rows + out_c] = tile[x][y];
}

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  const dim3 block(edge, edge);
  const dim3 grid((columns + edge - 1) / edge, (rows + edge - 1) / edge);
  transpose_swizzled<<<grid, block>>>(in, out, rows, columns);
}
