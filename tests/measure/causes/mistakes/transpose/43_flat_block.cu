// CAUSE: The grid's two sizes are swapped: the kernel takes blockIdx.x as the column of tiles, but the grid has as many blocks in x as the matrix has rows of tiles. And no barrier separates the load of the tile from the store.
// LINES: 26, 36
// REPAIR: line 26: `for (int y = warp; y < side; y += warps) {` -> `__syncthreads(); for (int y = warp; y < side; y += warps) {`; line 36: `const dim3 grid(tiles(rows), tiles(columns));` -> `const dim3 grid(tiles(columns), tiles(rows));`
// SYMPTOM: A data race on the tile at any size; and unless there are as many rows as columns of tiles, tiles of `out` are left unwritten.
#include "transpose.h"

namespace {

constexpr int side = 32;
constexpr int threads = 256;               // 8 warps, each moves four rows of the tile
constexpr int warps = threads / side;

__host__ __device__ int tiles(int length) { return (length + side - 1) / side; }

__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[side][side + 1];
  const int lane = threadIdx.x % side;
  const int warp = threadIdx.x / side;
  const int first_row = blockIdx.y * side;
  const int first_column = blockIdx.x * side;

  for (int y = warp; y < side; y += warps) {
    const int r = first_row + y, c = first_column + lane;
    if (r < rows && c < columns) tile[y][lane] = in[r * columns + c];
  }
  for (int y = warp; y < side; y += warps) {
    const int c = first_column + y, r = first_row + lane;
    if (r < rows && c < columns) out[c * rows + r] = tile[lane][y];
  }
}

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  const dim3 grid(tiles(rows), tiles(columns));
  transpose_kernel<<<grid, threads>>>(in, out, rows, columns);
}
