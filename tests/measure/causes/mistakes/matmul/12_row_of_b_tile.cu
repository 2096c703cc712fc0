// CAUSE: The products take row x of b's tile (b_tile[x][i]) instead of column x, as if b had been stored transposed.
// LINES: 31
// REPAIR: line 31: `b_tile[x][i]` -> `b_tile[i][x]`
// GOOD HINT: Take a look at the formula: with i counting up, does b move along a row or down a column? And your b_tile?
// SYMPTOM: Wrong nearly everywhere (it multiplies with the transpose of b's tile, which is right only for symmetric tiles), with 32-way bank conflicts in addition.
#include "matmul.h"

namespace {

const int block = 32;

__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float a_tile[block][block], b_tile[block][block];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * block + y, column = blockIdx.x * block + x;
  float sum = 0;
  for (int first = 0; first < k; first += block) {
    if (row < m && first + x < k) {
      a_tile[y][x] = a[row * k + first + x];
    } else {
      a_tile[y][x] = 0;
    }
    if (column < n && first + y < k) {
      b_tile[y][x] = b[(first + y) * n + column];
    } else {
      b_tile[y][x] = 0;
    }
    __syncthreads();

    for (int i = 0; i < block; ++i) {
      sum += a_tile[y][i] * b_tile[x][i];
    }
    __syncthreads();
  }

  if (row < m && column < n) {
    c[row * n + column] = sum;
  }
}

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const dim3 grid((n + block - 1) / block, (m + block - 1) / block);
  matmul_kernel<<<grid, dim3(block, block)>>>(a, b, c, m, n, k);
}
