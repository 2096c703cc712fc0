// CAUSE: The tile is swizzled when it is filled, but read as if it were not: element (x, y) is looked for in slot y and is in slot y ^ x.
// LINES: 25
// REPAIR: line 25: `tile[x][y]` -> `tile[x][y ^ x]`
// GOOD HINT: Where did you put the element of row r and column c of the tile? Do you look for it in the same slot?
// SYMPTOM: Wrong results nearly everywhere (elements are permuted within the rows of a tile; only what was in row 0 of a tile is right); at the edges also reads of slots that nobody wrote.

#include "transpose.h"

namespace {

constexpr int block = 32;

__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[block][block];  // swizzled, so no spare column
  const int x = threadIdx.x, y = threadIdx.y;

  const int c = blockIdx.x * block + x;
  const int r = blockIdx.y * block + y;
  if (r < rows && c < columns) tile[y][x ^ y] = in[r * columns + c];

  __syncthreads();

  const int to_c = blockIdx.y * block + x;
  const int to_r = blockIdx.x * block + y;
  if (to_r < columns && to_c < rows) out[to_r * rows + to_c] = tile[x][y];
}

int blocks_for(int length) { return (length + block - 1) / block; }

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  const dim3 grid(blocks_for(columns), blocks_for(rows));
  transpose_kernel<<<grid, dim3(block, block)>>>(in, out, rows, columns);
}
