// CAUSE: The launch is skipped if any of the three sizes is 0; but if only k is 0, c has elements, and they have to be set to 0.
// LINES: 56
// REPAIR: line 56: `if (m == 0 || n == 0 || k == 0) return;` -> `if (m == 0 || n == 0) return;`
// SYMPTOM: With k = 0 and m, n > 0, nothing is written to c.

#include "matmul.h"

namespace {

struct Matrix {
  const float* data;
  int rows, columns;

  __device__ float at(int row, int column) const {
    return row < rows && column < columns ? data[row * columns + column] : 0.0f;
  }
};

// A warp computes a row of 32 results; each thread has `Rows` of them, one below the other.
template <int Edge, int Rows>
__global__ void multiply(Matrix a, Matrix b, float* c) {
  __shared__ float as[Edge * Rows][Edge];
  __shared__ float bs[Edge][Edge];
  const int x = threadIdx.x, y = threadIdx.y;
  const int column = blockIdx.x * Edge + x;
  const int top = blockIdx.y * (Edge * Rows);
  float sum[Rows] = {};

  for (int first = 0; first < a.columns; first += Edge) {
#pragma unroll
    for (int r = 0; r < Rows; ++r) {
      const int line = y + r * Edge;
      as[line][x] = a.at(top + line, first + x);
    }
    bs[y][x] = b.at(first + y, column);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < Edge; ++i) {
      const float factor = bs[i][x];
#pragma unroll
      for (int r = 0; r < Rows; ++r) sum[r] = fmaf(as[y + r * Edge][i], factor, sum[r]);
    }
    __syncthreads();
  }

#pragma unroll
  for (int r = 0; r < Rows; ++r) {
    const int row = top + y + r * Edge;
    if (row < a.rows && column < b.columns) c[row * b.columns + column] = sum[r];
  }
}

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0 || k == 0) return;
  constexpr int edge = 32, rows = 2;
  const dim3 block(edge, edge);
  const dim3 grid((n + edge - 1) / edge, (m + edge * rows - 1) / (edge * rows));
  multiply<edge, rows><<<grid, block>>>(Matrix{a, m, k}, Matrix{b, k, n}, c);
}
