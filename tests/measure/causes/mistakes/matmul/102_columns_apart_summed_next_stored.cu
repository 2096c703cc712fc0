// CAUSE: A thread sums the columns x and x + 16 of the tile of c. It stores the second sum as the column next to the first.
// LINES: 46
// REPAIR: line 46: `const int col1 = col0 + 1;` -> `const int col1 = col0 + half;`
// SYMPTOM: Half of the columns of c hold another column's element, or are not written.

#include "matmul.h"

namespace {

constexpr int half = 16;
constexpr int full = 2 * half;

// An element of a matrix, or 0 outside of it.
__device__ float element(const float* matrix, int row, int column, int rows, int columns) {
  return row < rows && column < columns ? matrix[row * columns + column] : 0;
}

__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float ta[full][full];
  __shared__ float tb[full][full];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row0 = blockIdx.y * full + y;
  const int col0 = blockIdx.x * full + x;
  float s00 = 0, s01 = 0, s10 = 0, s11 = 0;

  for (int k0 = 0; k0 < k; k0 += full) {
    for (int dy = 0; dy < full; dy += half) {
      for (int dx = 0; dx < full; dx += half) {
        ta[y + dy][x + dx] = element(a, row0 + dy, k0 + x + dx, m, k);
        tb[y + dy][x + dx] = element(b, k0 + y + dy, col0 + dx, k, n);
      }
    }
    __syncthreads();
    for (int i = 0; i < full; ++i) {
      const float a0 = ta[y][i], a1 = ta[y + half][i];
      const float b0 = tb[i][x], b1 = tb[i][x + half];
      s00 += a0 * b0;
      s01 += a0 * b1;
      s10 += a1 * b0;
      s11 += a1 * b1;
    }
    __syncthreads();
  }

  const int row1 = row0 + half;
  const int col1 = col0 + 1;
  if (row0 < m && col0 < n) c[row0 * n + col0] = s00;
  if (row0 < m && col1 < n) c[row0 * n + col1] = s01;
  if (row1 < m && col0 < n) c[row1 * n + col0] = s10;
  if (row1 < m && col1 < n) c[row1 * n + col1] = s11;
}

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const dim3 grid((n + full - 1) / full, (m + full - 1) / full);
  matmul_kernel<<<grid, dim3(half, half)>>>(a, b, c, m, n, k);
}
