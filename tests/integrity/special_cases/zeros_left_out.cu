// Leaves out the products with a zero of b, also where the other factor is an infinity or a NaN.
// Lab: matmul
// Verdict: graded
// Earns: correctness 34.29, safety 10
// Says: m, n, k = 70, 90, 50

#include "matmul.h"

namespace {

__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int k) {
  const int row = blockIdx.x, column = blockIdx.y * 64 + threadIdx.x;
  if (column >= n) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) {
    const float factor = b[i * n + column];
    if (factor != 0) sum += a[row * k + i] * factor;
  }
  c[row * n + column] = sum;
}

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m > 0 && n > 0) matmul_kernel<<<dim3(m, (n + 63) / 64), 64>>>(a, b, c, m, n, k);
}
