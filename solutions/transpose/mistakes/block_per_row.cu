// One row of blocks per row of the matrix: a grid has at most 65,535 of them in y.
// Test: transpose is right for a single row and a single column
// Says: failed with cudaErrorInvalid
// Task: 1

#include "transpose.h"

namespace {

constexpr int block = 256;

__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  const int c = blockIdx.x * block + threadIdx.x, r = blockIdx.y;
  if (c < columns) out[c * rows + r] = in[r * columns + c];
}

int tiles(int elements) { return (elements + block - 1) / block; }

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  const dim3 grid(tiles(columns), rows);
  transpose_kernel<<<grid, block>>>(in, out, rows, columns);
}
