// CAUSE: The guard for the columns of a is off by one: column k, which is the first element of the next row, is loaded as well.
// LINES: 26
// REPAIR: first + x < k
// SYMPTOM: If k is not a multiple of 32, the last row reads one element past the end of a; infinities and NaNs reach results of the row above (times the zero of b's tile).

#include "matmul.h"

namespace {

constexpr int block = 32;

// Element (r, c) of a matrix with `columns` columns.
__device__ float at(const float* matrix, int r, int c, int columns) {
  return matrix[r * columns + c];
}

__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float a_tile[block][block], b_tile[block][block];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * block + y, column = blockIdx.x * block + x;
  float sum = 0;

  for (int first = 0; first < k; first += block) {
    a_tile[y][x] = 0;
    b_tile[y][x] = 0;
    if (row < m && first + x <= k) a_tile[y][x] = at(a, row, first + x, k);
    if (first + y < k && column < n) b_tile[y][x] = at(b, first + y, column, n);
    __syncthreads();

    for (int i = 0; i < block; ++i) sum += a_tile[y][i] * b_tile[i][x];
    __syncthreads();
  }

  if (row < m && column < n) c[row * n + column] = sum;
}

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m > 0 && n > 0) {
    const dim3 grid((n + block - 1) / block, (m + block - 1) / block);
    matmul_kernel<<<grid, dim3(block, block)>>>(a, b, c, m, n, k);
  }
}
