// CAUSE: The slot of an element is its column xor its row in the tile. The store into the tile takes ty as the row, but the row is ty + k; the load from it does it right.
// LINES: 20
// REPAIR: line 20: `if (r < rows && c < columns) tile[ty + k][tx ^ ty] = in[r * columns + c];` -> `if (r < rows && c < columns) tile[ty + k][tx ^ (ty + k)] = in[r * columns + c];`
// SYMPTOM: Elements of rows 8 to 31 of each tile end up in wrong places of `out`, or slots that nobody wrote are read in partial tiles.
#include "transpose.h"

namespace {

constexpr int side = 32;
constexpr int step = 8;  // rows of threads

// Element (r, c) of the tile is in slot c ^ r of row r, so that a column is spread over all banks.
__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[side][side];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row0 = blockIdx.y * side, column0 = blockIdx.x * side;

  for (int k = 0; k < side; k += step) {
    const int r = row0 + ty + k, c = column0 + tx;
    if (r < rows && c < columns) tile[ty + k][tx ^ ty] = in[r * columns + c];
  }

  __syncthreads();

  for (int k = 0; k < side; k += step) {
    const int r = row0 + tx, c = column0 + ty + k;
    if (r < rows && c < columns) out[c * rows + r] = tile[tx][(ty + k) ^ tx];
  }
}

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  const dim3 threads(side, step);
  const dim3 blocks((columns + side - 1) / side, (rows + side - 1) / side);
  transpose_kernel<<<blocks, threads>>>(in, out, rows, columns);
}
