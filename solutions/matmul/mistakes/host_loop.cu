// A loop on the host: a, b and c are addresses in device memory, which the host cannot use.
// Test: matmul is right for squares of whole tiles
// Says: device pointer
// Task: 1

#include "matmul.h"

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  for (int row = 0; row < m; ++row) {
    for (int column = 0; column < n; ++column) {
      float sum = 0;
      for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + column];
      c[row * n + column] = sum;
    }
  }
}
