// No tile: each thread loads its row and its column itself.
// Test: matmul loads each element once per block
// Says: loads
// Task: 2

#include "matmul.h"

namespace {

constexpr int width = 32;
constexpr int height = 8;

__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int k) {
  const int column = blockIdx.x * width + threadIdx.x;
  const int row = blockIdx.y * height + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + column];
  c[row * n + column] = sum;
}

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const dim3 grid((n + width - 1) / width, (m + height - 1) / height);
  matmul_kernel<<<grid, dim3(width, height)>>>(a, b, c, m, n, k);
}
