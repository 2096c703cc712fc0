// Step 3: the tile of step 2 with a column to spare. Nobody uses it, but it makes a row of the tile
// 33 words long, so element (x, y) lies in bank (33 * x + y) % 32 = (x + y) % 32: the elements of a
// column lie in 32 different banks, and so do those of a row.
//
// 2 wavefronts per 32 elements instead of 33, for 128 bytes of shared memory more. Sectors are
// those of step 2. This is the kernel of tasks 1 to 5. What it lacks is bytes in flight: a thread
// loads 4 bytes and then waits at the barrier. With blocks of 1024 threads, of which two fit on a
// multiprocessor, that is at most 8 KiB, and less while one of them stores.
//
// On an H200 it reaches 43% of the copy's speed, for the reason that step 1 of `diff` has.

#include "transpose.h"

namespace {

constexpr int block = 32;  // rows and columns of a tile, and of a block of threads

__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[block][block + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  const int first_row = blockIdx.y * block;
  const int first_column = blockIdx.x * block;

  if (first_row + y < rows && first_column + x < columns) {
    tile[y][x] = in[(first_row + y) * columns + first_column + x];
  }
  __syncthreads();
  if (first_row + x < rows && first_column + y < columns) {
    out[(first_column + y) * rows + first_row + x] = tile[x][y];
  }
}

int tiles(int elements) { return (elements + block - 1) / block; }

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  const dim3 grid(tiles(columns), tiles(rows));
  transpose_kernel<<<grid, dim3(block, block)>>>(in, out, rows, columns);
}
