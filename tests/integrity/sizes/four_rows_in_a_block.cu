// Has a block for four rows along y, where a grid has no more than 65,535 of them.
// Lab: matmul
// Verdict: graded
// Earns: correctness 34.29, safety 10
// Says: m, n, k = 262145, 1, 2

#include "matmul.h"

namespace {

constexpr int across = 32, down = 4;

__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int k) {
  const int row = blockIdx.y * down + threadIdx.y, column = blockIdx.x * across + threadIdx.x;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int p = 0; p < k; ++p) sum += a[row * k + p] * b[p * n + column];
  c[row * n + column] = sum;
}

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const dim3 grid((n + across - 1) / across, (m + down - 1) / down);
  matmul_kernel<<<grid, dim3(across, down)>>>(a, b, c, m, n, k);
}
