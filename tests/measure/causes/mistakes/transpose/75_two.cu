// CAUSE: (1) The spare line is added in the wrong direction: a spare row leaves all elements of a column in the same bank. (2) The guard of the load tests the row of the first pass only, not r + step.
// LINES: 13 18
// REPAIR: (1) __shared__ float tile[side][side + 1]; (2) if (c < columns && r + step < rows) {
// SYMPTOM: 32-way bank conflicts when the columns of the tile are read; and reads past the end of in if rows is no multiple of 32.
#include "transpose.h"

namespace {

constexpr int side = 32;
constexpr int height = 8;  // rows of threads

__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[side + 1][side];

  int c = blockIdx.x * side + threadIdx.x;
  int r = blockIdx.y * side + threadIdx.y;
  for (int step = 0; step < side; step += height) {
    if (c < columns && r < rows) {
      tile[threadIdx.y + step][threadIdx.x] = in[(r + step) * columns + c];
    }
  }

  __syncthreads();

  c = blockIdx.y * side + threadIdx.x;
  r = blockIdx.x * side + threadIdx.y;
  for (int step = 0; step < side; step += height) {
    if (c < rows && r + step < columns) {
      out[(r + step) * rows + c] = tile[threadIdx.x][threadIdx.y + step];
    }
  }
}

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows < 1 || columns < 1) return;
  const dim3 threads(side, height);
  const dim3 blocks((columns + side - 1) / side, (rows + side - 1) / side);
  transpose_kernel<<<blocks, threads>>>(in, out, rows, columns);
}
