// CAUSE: The second launch argument is the number 32, which means 32 x 1 threads and not 32 x 32. threadIdx.y is always 0, so only row 0 of each tile is loaded, and only every 32nd row of c is made.
// LINES: 36
// REPAIR: line 36: `<<<grid, block>>>` -> `<<<grid, dim3(block, block)>>>`
// GOOD HINT: How many threads does one of your blocks have, and which values does threadIdx.y take?
// SYMPTOM: Rows of c that are no multiples of 32 are never written; the others are wrong for k > 1, from uninitialized rows of b's tile.
#include "matmul.h"

namespace {

constexpr int block = 32;  // rows and columns of a tile, and of a block of threads

__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float a_tile[block][block], b_tile[block][block];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * block + y, column = blockIdx.x * block + x;
  float sum = 0;
  for (int first = 0; first < k; first += block) {
    a_tile[y][x] = (row < m && first + x < k) ? a[row * k + (first + x)] : 0;
    b_tile[y][x] = (column < n && first + y < k) ? b[(first + y) * n + column] : 0;

    __syncthreads();

    for (int i = 0; i < block; ++i) sum += a_tile[y][i] * b_tile[i][x];

    __syncthreads();
  }

  if (row < m && column < n) c[row * n + column] = sum;
}

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const dim3 grid((n + block - 1) / block, (m + block - 1) / block);
  matmul_kernel<<<grid, block>>>(a, b, c, m, n, k);
}
