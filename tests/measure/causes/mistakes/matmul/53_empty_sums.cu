// CAUSE: With k = 0 nothing is launched, but c is not empty then: all its sums are, and they have to be stored as zeros.
// LINES: 34
// REPAIR: line 34: `if (m == 0 || n == 0 || k == 0) return;` -> `if (m == 0 || n == 0) return;`
// SYMPTOM: With k = 0 (and m, n > 0) c is not written at all; everything else is right.
#include "matmul.h"

static constexpr int edge = 32;

// Element (r, c) of a matrix with that many rows and columns, or 0 outside.
static __device__ float element(const float* matrix, int rows, int columns, int r, int c) {
  return r < rows && c < columns ? matrix[r * columns + c] : 0.0f;
}

static __global__ void product(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float left[edge][edge], right[edge][edge];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * edge + y;
  const int column = blockIdx.x * edge + x;
  float sum = 0.0f;
  int done = 0;
  while (done < k) {
    left[y][x] = element(a, m, k, row, done + x);
    right[y][x] = element(b, k, n, done + y, column);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < edge; i++) sum = fmaf(left[y][i], right[i][x], sum);
    __syncthreads();
    done += edge;
  }
  if (row < m && column < n) c[row * n + column] = sum;
}

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0 || k == 0) return;
  dim3 threads(edge, edge);
  dim3 tiles((n + edge - 1) / edge, (m + edge - 1) / edge);
  product<<<tiles, threads>>>(a, b, c, m, n, k);
}
