// Swaps the elements of `in` with one another, as one does on a CPU: the caller still needs them.
// Test: transpose is right for squares of whole tiles
// Says: transpose changed in, which is read only
// Task: 4

#include "transpose.h"

namespace {

constexpr int block = 32;

__global__ void transpose_kernel(float* in, float* out, int rows, int columns) {
  const int c = blockIdx.x * block + threadIdx.x, r = blockIdx.y * block + threadIdx.y;
  if (r >= rows || c >= columns || r > c || rows != columns) return;
  const float above = in[r * columns + c];
  in[r * columns + c] = in[c * columns + r];
  in[c * columns + r] = above;
  out[r * columns + c] = in[r * columns + c];
  out[c * columns + r] = in[c * columns + r];
}

int tiles(int elements) { return (elements + block - 1) / block; }

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  const dim3 grid(tiles(columns), tiles(rows));
  transpose_kernel<<<grid, dim3(block, block)>>>(const_cast<float*>(in), out, rows, columns);
}
