// One line of this file is at fault: `./tilelab detective matmul mixed_up`.

#include "matmul.h"

namespace {

constexpr int block = 32;  // rows and columns of a tile, and of a block of threads

__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float a_tile[block][block], b_tile[block][block];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * block + y, column = blockIdx.x * block + x;
  float sum = 0;
  for (int first = 0; first < k; first += block) {
    a_tile[y][x] = row < m && first + x < k ? a[row * k + first + x] : 0;
    b_tile[y][x] = first + y < k && column < n ? b[(first + y) * n + column] : 0;
    __syncthreads();
    for (int i = 0; i < block; ++i) sum += a_tile[i][y] * b_tile[i][x];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}

int tiles(int elements) { return (elements + block - 1) / block; }

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  matmul_kernel<<<dim3(tiles(n), tiles(m)), dim3(block, block)>>>(a, b, c, m, n, k);
}
