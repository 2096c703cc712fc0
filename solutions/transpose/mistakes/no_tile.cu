// Neighboring threads store neighbors, but without a tile they have to load a column.
// Test: transpose's warps use the sectors that they move
// Says: sector bytes wasted per useful byte
// Task: 2 or 4

#include "transpose.h"

namespace {

constexpr int width = 32;
constexpr int height = 8;

__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  const int r = blockIdx.x * width + threadIdx.x;
  const int c = blockIdx.y * height + threadIdx.y;
  if (r < rows && c < columns) out[c * rows + r] = in[r * columns + c];
}

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  const dim3 grid((rows + width - 1) / width, (columns + height - 1) / height);
  transpose_kernel<<<grid, dim3(width, height)>>>(in, out, rows, columns);
}
