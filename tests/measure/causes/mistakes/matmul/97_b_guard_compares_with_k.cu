// CAUSE: The guard of the load from b compares the column with k, but a row of b has n elements.
// LINES: 31
// REPAIR: line 31: `if (first + y < k && column < k) {` -> `if (first + y < k && column < n) {`
// SYMPTOM: If n > k, the columns of c from k on are 0 (in the tile that holds column k, and after it); if n < k, elements past the end of a row of b are loaded, at the end out of bounds. Square matrices are right.

#include "matmul.h"

#define TILE 32

static __device__ float fetch(const float* matrix, int row, int column, int rows, int columns) {
  if (row < rows && column < columns) return matrix[row * columns + column];
  return 0.0f;
}

static __global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n,
                                     int k) {
  __shared__ float as[TILE][TILE];
  __shared__ float bs[TILE][TILE];

  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int row = blockIdx.y * TILE + y;
  const int column = blockIdx.x * TILE + x;

  float sum = 0.0f;
  const int rounds = (k + TILE - 1) / TILE;
  for (int round = 0; round < rounds; round++) {
    const int first = round * TILE;
    as[y][x] = fetch(a, row, first + x, m, k);
    bs[y][x] = 0.0f;
    if (first + y < k && column < k) {
      bs[y][x] = b[(first + y) * n + column];
    }
    __syncthreads();

#pragma unroll
    for (int i = 0; i < TILE; i++) {
      sum += as[y][i] * bs[i][x];
    }
    __syncthreads();
  }

  if (row < m && column < n) {
    c[row * n + column] = sum;
  }
}

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m > 0 && n > 0) {
    dim3 block(TILE, TILE);
    dim3 grid((n - 1) / TILE + 1, (m - 1) / TILE + 1);
    matmul_kernel<<<grid, block>>>(a, b, c, m, n, k);
  }
}
