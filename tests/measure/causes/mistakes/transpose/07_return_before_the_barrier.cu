// CAUSE: A thread that has nothing to load returns before the barrier, so it does not reach the barrier, and it is missing for the store, where it may have an element.
// LINES: 21, 22
// REPAIR: delete line 21, `if (r >= rows || c >= columns) return;  // outside of the matrix`; line 22: `tile[y][x] =` -> `if (r < rows && c < columns) tile[y][x] =`
// GOOD HINT: Take a matrix of 40 rows and 10 columns. Which threads of the first block are left after your return? Which are needed to store rows of 32 elements?
// SYMPTOM: Tiles at the edge: not all threads reach the barrier (divergence, hang or report), and elements of out are missing that returned threads should have stored. Right if both sizes are multiples of 32.

// Lab `transpose`: both sides coalesced

#include "transpose.h"

namespace {

constexpr int block = 32;

__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[block][block + 1];
  const int x = threadIdx.x, y = threadIdx.y;

  int r = blockIdx.y * block + y;
  int c = blockIdx.x * block + x;
  if (r >= rows || c >= columns) return;  // outside of the matrix
  tile[y][x] = in[r * columns + c];

  __syncthreads();

  r = blockIdx.x * block + y;
  c = blockIdx.y * block + x;
  if (r >= columns || c >= rows) return;
  out[r * rows + c] = tile[x][y];
}

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  dim3 threads(block, block);
  dim3 grid((columns + block - 1) / block, (rows + block - 1) / block);
  transpose_kernel<<<grid, threads>>>(in, out, rows, columns);
}
