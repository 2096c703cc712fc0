// CAUSE: The loop over the tiles has to run along k, the length of the sums, but its number of rounds is computed from n, the number of columns of the result.
// LINES: 22
// REPAIR: line 22: `int phases = (n + TILE_WIDTH - 1) / TILE_WIDTH;` -> `int phases = (k + TILE_WIDTH - 1) / TILE_WIDTH;`
// SYMPTOM: Right when n and k need the same number of tiles, such as for squares; for k larger than n products are missing (if k is smaller, the additional rounds only add zeros, but for n = 70,001 they take so long that the check gives up).

#include "matmul.h"

namespace {

constexpr int TILE_WIDTH = 16;

__global__ void MatMul(const float* A, const float* B, float* C, int m, int n, int k) {
  __shared__ float As[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Bs[TILE_WIDTH][TILE_WIDTH];

  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int Row = blockIdx.y * TILE_WIDTH + ty;
  int Col = blockIdx.x * TILE_WIDTH + tx;

  float Cvalue = 0.0f;
  int phases = (n + TILE_WIDTH - 1) / TILE_WIDTH;

  for (int ph = 0; ph < phases; ++ph) {
    int aCol = ph * TILE_WIDTH + tx;
    int bRow = ph * TILE_WIDTH + ty;

    if (Row < m && aCol < k)
      As[ty][tx] = A[Row * k + aCol];
    else
      As[ty][tx] = 0.0f;

    if (bRow < k && Col < n)
      Bs[ty][tx] = B[bRow * n + Col];
    else
      Bs[ty][tx] = 0.0f;

    __syncthreads();
    for (int i = 0; i < TILE_WIDTH; ++i) Cvalue += As[ty][i] * Bs[i][tx];
    __syncthreads();
  }

  if (Row < m && Col < n) C[Row * n + Col] = Cvalue;
}

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  dim3 threads(TILE_WIDTH, TILE_WIDTH);
  dim3 grid((n + TILE_WIDTH - 1) / TILE_WIDTH, (m + TILE_WIDTH - 1) / TILE_WIDTH);
  MatMul<<<grid, threads>>>(a, b, c, m, n, k);
}
