// CAUSE: What a pair of tiles contributes replaces the sum so far instead of being added to it.
// LINES: 32
// REPAIR: line 32: `sum = multiply(a_tile, b_tile);` -> `sum += multiply(a_tile, b_tile);`
// SYMPTOM: Right for k <= 16; otherwise each element only has the products of the last 16 (or fewer) columns of `a`.
#include "matmul.h"

namespace {

constexpr int tile = 16;

// What the two tiles add to the element of this thread.
__device__ float multiply(const float (&left)[tile][tile], const float (&right)[tile][tile]) {
  float result = 0;
  for (int i = 0; i < tile; ++i) result += left[threadIdx.y][i] * right[i][threadIdx.x];
  return result;
}

__device__ float element(const float* matrix, int rows, int columns, int r, int c) {
  return r < rows && c < columns ? matrix[r * columns + c] : 0.0f;
}

__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float a_tile[tile][tile], b_tile[tile][tile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * tile + y, column = blockIdx.x * tile + x;

  float sum = 0;
  for (int start = 0; start < k; start += tile) {
    a_tile[y][x] = element(a, m, k, row, start + x);
    b_tile[y][x] = element(b, k, n, start + y, column);
    __syncthreads();
    sum = multiply(a_tile, b_tile);
    __syncthreads();
  }

  if (row < m && column < n) c[row * n + column] = sum;
}

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const dim3 threads(tile, tile);
  const dim3 blocks((n + tile - 1) / tile, (m + tile - 1) / tile);
  matmul_kernel<<<blocks, threads>>>(a, b, c, m, n, k);
}
