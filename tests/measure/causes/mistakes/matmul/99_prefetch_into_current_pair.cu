// CAUSE: The next tiles are loaded ahead into the pair of tiles that the block is just about to multiply, instead of the other pair.
// LINES: 36
// REPAIR: line 36: `const int free = current;` -> `const int free = 1 - current;`
// SYMPTOM: From the second round on the products mix tiles (a race), or use a pair that was never filled: wrong for k > 32.

#include "matmul.h"

// Two pairs of tiles: while a block multiplies one pair, it already loads the next one. So one
// barrier per round is enough.

namespace {

constexpr int edge = 32;

using Tile = float[edge][edge];

__device__ void load(Tile& a_tile, Tile& b_tile, const float* a, const float* b, int first, int row,
                     int column, int m, int n, int k) {
  const int x = threadIdx.x, y = threadIdx.y;
  a_tile[y][x] = row < m && first + x < k ? a[row * k + first + x] : 0;
  b_tile[y][x] = column < n && first + y < k ? b[(first + y) * n + column] : 0;
}

__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ Tile a_tile[2], b_tile[2];
  const int row = blockIdx.y * edge + threadIdx.y;
  const int column = blockIdx.x * edge + threadIdx.x;
  float sum = 0;

  int current = 0;
  load(a_tile[0], b_tile[0], a, b, 0, row, column, m, n, k);
  for (int first = 0; first < k; first += edge) {
    __syncthreads();
    const int next = first + edge;
    if (next < k) {
      const int free = current;
      load(a_tile[free], b_tile[free], a, b, next, row, column, m, n, k);
    }
#pragma unroll
    for (int i = 0; i < edge; ++i)
      sum += a_tile[current][threadIdx.y][i] * b_tile[current][i][threadIdx.x];
    current = 1 - current;
  }

  if (row < m && column < n) c[row * n + column] = sum;
}

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m < 1 || n < 1) return;
  const dim3 threads(edge, edge);
  const dim3 tiles((n + edge - 1) / edge, (m + edge - 1) / edge);
  matmul_kernel<<<tiles, threads>>>(a, b, c, m, n, k);
}
