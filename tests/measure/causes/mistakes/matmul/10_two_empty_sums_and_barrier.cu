// CAUSE: Two mistakes. (1) For k = 0 nothing is launched, but c has to be filled with zeros. (2) The barrier after the products is missing, so fast threads overwrite tiles that slow ones still read.
// LINES: after 25, 34
// REPAIR: insert `__syncthreads();` after line 25; line 34: ` || k == 0` -> ``
// GOOD HINT: (1) What is the sum of no products, and where does the contract want it? (2) A thread has finished its products: may it store into the tiles at once? Who might still need them?
// SYMPTOM: c unwritten for k = 0; a race between two rounds for k > 32, with sporadic wrong sums.
#include "matmul.h"

namespace {

constexpr int block = 32;

__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float a_tile[block][block], b_tile[block][block];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * block + y, column = blockIdx.x * block + x;
  float sum = 0;

  for (int first = 0; first < k; first += block) {
    a_tile[y][x] = row < m && first + x < k ? a[row * k + first + x] : 0.0f;
    b_tile[y][x] = first + y < k && column < n ? b[(first + y) * n + column] : 0.0f;

    // all elements have to be there before they are used
    __syncthreads();

    for (int i = 0; i < block; ++i) sum += a_tile[y][i] * b_tile[i][x];
  }

  if (row < m && column < n) c[row * n + column] = sum;
}

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0 || k == 0) return;  // nothing to do
  const dim3 grid((n + block - 1) / block, (m + block - 1) / block);
  matmul_kernel<<<grid, dim3(block, block)>>>(a, b, c, m, n, k);
}
