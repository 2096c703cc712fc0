// CAUSE: a row of b is taken to have k elements; it has n
// LINES: 28
// REPAIR: b[b_row * n + column]
// GOOD HINT: How many elements lie between b[0][0] and b[1][0]?
// SYMPTOM: right for squares, wrong for others

#include "matmul.h"

namespace {

constexpr int block = 32;

__global__ void product(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float ta[block][block], tb[block][block];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * block + y;
  const int column = blockIdx.x * block + x;
  const int rounds = (k + block - 1) / block;
  float sum = 0;

  for (int r = 0; r < rounds; ++r) {
    const int a_column = r * block + x;
    const int b_row = r * block + y;

    ta[y][x] = 0;
    if (row < m && a_column < k) ta[y][x] = a[row * k + a_column];
    tb[y][x] = 0;
    if (b_row < k && column < n) tb[y][x] = b[b_row * k + column];
    __syncthreads();

    for (int i = 0; i < block; ++i) {
      sum += ta[y][i] * tb[i][x];
    }
    __syncthreads();
  }

  if (row < m && column < n) {
    c[row * n + column] = sum;
  }
}

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m > 0 && n > 0) {
    const dim3 blocks((n + block - 1) / block, (m + block - 1) / block);
    product<<<blocks, dim3(block, block)>>>(a, b, c, m, n, k);
  }
}
