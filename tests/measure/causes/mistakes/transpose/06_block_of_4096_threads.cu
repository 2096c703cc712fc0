// CAUSE: A tile of 64 x 64 with one thread per element makes a block of 4096 threads, but a block has at most 1024.
// LINES: 11
// REPAIR: line 11: `block = 64` -> `block = 32`
// GOOD HINT: Multiply: how many threads does your launch ask for in a block? How many can there be?
// SYMPTOM: The launch fails with "invalid configuration" for every matrix that is not empty, and nothing is written.

#include "transpose.h"

namespace {

constexpr int block = 64;  // a larger tile, so fewer blocks

__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[block][block + 1];
  const int x = threadIdx.x, y = threadIdx.y;

  int column = blockIdx.x * block + x;
  int row = blockIdx.y * block + y;
  if (row < rows && column < columns) tile[y][x] = in[row * columns + column];

  __syncthreads();

  column = blockIdx.y * block + x;
  row = blockIdx.x * block + y;
  if (row < columns && column < rows) out[row * rows + column] = tile[x][y];
}

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  const int across = (columns + block - 1) / block;
  const int down = (rows + block - 1) / block;
  transpose_kernel<<<dim3(across, down), dim3(block, block)>>>(in, out, rows, columns);
}
