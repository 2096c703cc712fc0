// CAUSE: The grid has its dimensions the wrong way around: the kernel takes blockIdx.x for columns, but the launch counts the rows in x.
// LINES: 32
// REPAIR: const dim3 grid(tiles_across, tiles_down);
// SYMPTOM: Square matrices are right; of others, a part is never written (unless both sides have equally many tiles).
#include "transpose.h"

namespace {

constexpr int block = 32;

__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[block][block + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  const int first_column = blockIdx.x * block;
  const int first_row = blockIdx.y * block;

  if (first_row + y < rows && first_column + x < columns) {
    tile[y][x] = in[(first_row + y) * columns + first_column + x];
  }
  __syncthreads();
  if (first_column + y < columns && first_row + x < rows) {
    out[(first_column + y) * rows + first_row + x] = tile[x][y];
  }
}

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  const int tiles_down = (rows + block - 1) / block;
  const int tiles_across = (columns + block - 1) / block;
  if (tiles_down == 0 || tiles_across == 0) return;
  const dim3 grid(tiles_down, tiles_across);
  const dim3 threads(block, block);
  transpose_kernel<<<grid, threads>>>(in, out, rows, columns);
}
