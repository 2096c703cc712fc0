// CAUSE: (1) The index into b takes k for the length of a row of b, which is n. (2) No barrier follows the products, so fast threads load the next tiles over those that others still read.
// LINES: 34 45 46
// REPAIR: line 34: `b_tile[r][x] = (i < k && column < n) ? b[i * k + column] : 0.0f;` -> `b_tile[r][x] = (i < k && column < n) ? b[i * n + column] : 0.0f;`; insert `__syncthreads();` after line 45
// SYMPTOM: (1) Wrong elements of b, and out-of-bounds loads, unless n = k. (2) A data race for k > 16: wrong sums now and then.

#include "matmul.h"

namespace {

constexpr int rows_of_tile = 32;
constexpr int columns_of_tile = 32;
constexpr int depth = 16;
constexpr int threads = 256;

// Thread t makes four elements of column t % 32: rows t / 32, t / 32 + 8 and so on.
__global__ void __launch_bounds__(threads)
    matmul_kernel(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                  int m, int n, int k) {
  __shared__ float a_tile[rows_of_tile][depth];
  __shared__ float b_tile[depth][columns_of_tile];
  const int t = threadIdx.x;
  const int x = t % 32, y = t / 32;
  const int row0 = blockIdx.x * rows_of_tile;
  const int column0 = blockIdx.y * columns_of_tile;
  float sum0 = 0, sum1 = 0, sum2 = 0, sum3 = 0;

  for (int first = 0; first < k; first += depth) {
    for (int r = t / depth; r < rows_of_tile; r += threads / depth) {
      const int row = row0 + r, i = first + t % depth;
      a_tile[r][t % depth] = (row < m && i < k) ? a[row * k + i] : 0.0f;
    }
    for (int r = y; r < depth; r += threads / 32) {
      const int i = first + r, column = column0 + x;
      b_tile[r][x] = (i < k && column < n) ? b[i * k + column] : 0.0f;
    }
    __syncthreads();

#pragma unroll
    for (int i = 0; i < depth; ++i) {
      const float factor = b_tile[i][x];
      sum0 += a_tile[y][i] * factor;
      sum1 += a_tile[y + 8][i] * factor;
      sum2 += a_tile[y + 16][i] * factor;
      sum3 += a_tile[y + 24][i] * factor;
    }
  }

  const int column = column0 + x;
  if (column >= n) return;
  const float sums[4] = {sum0, sum1, sum2, sum3};
  for (int p = 0; p < 4; ++p) {
    const int row = row0 + y + 8 * p;
    if (row < m) c[row * n + column] = sums[p];
  }
}

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const unsigned down = (m + rows_of_tile - 1) / rows_of_tile;
  const unsigned across = (n + columns_of_tile - 1) / columns_of_tile;
  matmul_kernel<<<dim3(down, across), threads>>>(a, b, c, m, n, k);
}
