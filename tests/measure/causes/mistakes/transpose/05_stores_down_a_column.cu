// CAUSE: Each thread stores the element that it has loaded itself, so a warp still writes down a column of out: the tile is filled and read, but changes no order, and the store is as uncoalesced as the baseline's.
// LINES: 24
// REPAIR: line 24: `if (r < rows && c < columns) out[c * rows + r] = tile[y][x];` -> `const int r2 = blockIdx.y * block + x, c2 = blockIdx.x * block + y; if (r2 < rows && c2 < columns) out[c2 * rows + r2] = tile[x][y];`
// GOOD HINT: Your results are right. Where in out do the threads 0, 1 and 2 of a row of threads store? Does x run along a row of out?
// SYMPTOM: Right results, but 32 sectors per store: 3.5 wasted sector bytes per useful byte, as with the baseline.

#include "transpose.h"

namespace {

constexpr int block = 32;  // rows and columns of a tile, and of a block of threads

__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[block][block + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  const int c = blockIdx.x * block + x;
  const int r = blockIdx.y * block + y;

  if (r < rows && c < columns) tile[y][x] = in[r * columns + c];

  __syncthreads();

  // row r, column c of `in` is row c, column r of `out`
  if (r < rows && c < columns) out[c * rows + r] = tile[y][x];
}

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows > 0 && columns > 0) {
    const dim3 grid((columns + block - 1) / block, (rows + block - 1) / block);
    const dim3 threads(block, block);
    transpose_kernel<<<grid, threads>>>(in, out, rows, columns);
  }
}
