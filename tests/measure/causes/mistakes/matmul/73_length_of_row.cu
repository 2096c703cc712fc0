// CAUSE: The index into b multiplies its row by k, the length of a row of a; a row of b has n elements.
// LINES: 26
// REPAIR: b_tile[y][x] = b[b_row * n + column];
// SYMPTOM: Right if n = k (square matrices); otherwise wrong results, and reads past the end of b if k > n.
#include "matmul.h"

namespace {

constexpr int block = 32;  // rows and columns of a tile, and of a block of threads

__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float a_tile[block][block], b_tile[block][block];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * block + y, column = blockIdx.x * block + x;

  float sum = 0;
  for (int first = 0; first < k; first += block) {
    const int a_column = first + x;
    const int b_row = first + y;
    a_tile[y][x] = 0;
    b_tile[y][x] = 0;
    if (row < m && a_column < k) {
      a_tile[y][x] = a[row * k + a_column];
    }
    if (column < n && b_row < k) {
      b_tile[y][x] = b[b_row * k + column];
    }
    __syncthreads();

    for (int i = 0; i < block; ++i) {
      sum += a_tile[y][i] * b_tile[i][x];
    }
    __syncthreads();
  }

  if (row < m && column < n) c[row * n + column] = sum;
}

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const int across = (n + block - 1) / block;
  const int down = (m + block - 1) / block;
  matmul_kernel<<<dim3(across, down), dim3(block, block)>>>(a, b, c, m, n, k);
}
