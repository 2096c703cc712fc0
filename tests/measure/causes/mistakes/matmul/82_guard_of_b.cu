// CAUSE: The guard for loading b compares the column with m, the number of rows of the result, instead of with n, the number of columns of b.
// LINES: 22
// REPAIR: line 22: `if (row >= s.k || col >= s.m) return 0;` -> `if (row >= s.k || col >= s.n) return 0;`
// SYMPTOM: For n > m columns of the result are 0 or too small; for n < m elements of the next row, or past the end of b, are loaded.

#include "matmul.h"

namespace {

struct Sizes {
  int m, n, k;
};

constexpr int edge = 32;

__device__ float elementOfA(const float* a, int row, int col, Sizes s) {
  if (row >= s.m || col >= s.k) return 0;
  return a[row * s.k + col];
}

__device__ float elementOfB(const float* b, int row, int col, Sizes s) {
  if (row >= s.k || col >= s.m) return 0;
  return b[row * s.n + col];
}

__global__ void multiply(const float* a, const float* b, float* c, Sizes s) {
  __shared__ float left[edge][edge];
  __shared__ float right[edge][edge];
  const int x = threadIdx.x, y = threadIdx.y;
  const int col = blockIdx.x * edge + x;
  const int row = blockIdx.y * edge + y;

  float dot = 0;
  for (int at = 0; at < s.k; at += edge) {
    left[y][x] = elementOfA(a, row, at + x, s);
    right[y][x] = elementOfB(b, at + y, col, s);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < edge; ++i) dot = fmaf(left[y][i], right[i][x], dot);
    __syncthreads();
  }
  if (row < s.m && col < s.n) c[row * s.n + col] = dot;
}

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m > 0 && n > 0) {
    const dim3 tiles((n - 1) / edge + 1, (m - 1) / edge + 1);
    multiply<<<tiles, dim3(edge, edge)>>>(a, b, c, Sizes{m, n, k});
  }
}
