// Loads and stores with the same index: a copy.
// Test: transpose is right for squares of whole tiles
// Says: the one that `in` has at the same index
// Task: 4

#include "transpose.h"

namespace {

constexpr int block = 32;

__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  const int c = blockIdx.x * block + threadIdx.x, r = blockIdx.y * block + threadIdx.y;
  if (r < rows && c < columns) out[r * columns + c] = in[r * columns + c];
}

int tiles(int elements) { return (elements + block - 1) / block; }

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  const dim3 grid(tiles(columns), tiles(rows));
  transpose_kernel<<<grid, dim3(block, block)>>>(in, out, rows, columns);
}
