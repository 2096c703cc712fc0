// CAUSE: The number of rounds is k / block, rounded down. The last k % block products of each sum are left out.
// LINES: 20
// REPAIR: line 20: `k / block;` -> `(k + block - 1) / block;`
// GOOD HINT: How many rounds does your loop make for k = 40, and for k = 20? Which products are in none of them?
// SYMPTOM: Right where k is a multiple of 16. Otherwise sums are too small by the last products, and all 0 for k < 16.
#include "matmul.h"

namespace {

constexpr int block = 16;

__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float as[block][block];
  __shared__ float bs[block][block];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int row = blockIdx.y * block + y;
  const int column = blockIdx.x * block + x;

  const int rounds = k / block;
  float sum = 0;
  for (int t = 0; t < rounds; ++t) {
    const int a_column = t * block + x;
    const int b_row = t * block + y;
    as[y][x] = row < m && a_column < k ? a[row * k + a_column] : 0.0f;
    bs[y][x] = b_row < k && column < n ? b[b_row * n + column] : 0.0f;
    __syncthreads();
    for (int i = 0; i < block; ++i) sum += as[y][i] * bs[i][x];
    __syncthreads();
  }

  if (row < m && column < n) c[row * n + column] = sum;
}

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const dim3 threads(block, block);
  const dim3 grid((n + block - 1) / block, (m + block - 1) / block);
  matmul_kernel<<<grid, threads>>>(a, b, c, m, n, k);
}
