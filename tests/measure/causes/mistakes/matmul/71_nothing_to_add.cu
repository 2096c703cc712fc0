// CAUSE: The function also returns if k is 0. But then c is not empty: its sums are, and it has to be filled with zeros.
// LINES: 48
// REPAIR: if (m == 0 || n == 0) return;
// SYMPTOM: With k = 0, c is never written; everything else is right.
#include "matmul.h"

namespace {

constexpr int TILE = 32;

__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE][TILE];

  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty;
  int col = blockIdx.x * TILE + tx;

  float value = 0;
  int phases = (k + TILE - 1) / TILE;
  for (int ph = 0; ph < phases; ++ph) {
    int a_col = ph * TILE + tx;
    int b_row = ph * TILE + ty;

    if (row < m && a_col < k)
      As[ty][tx] = a[row * k + a_col];
    else
      As[ty][tx] = 0;

    if (b_row < k && col < n)
      Bs[ty][tx] = b[b_row * n + col];
    else
      Bs[ty][tx] = 0;

    __syncthreads();

    for (int i = 0; i < TILE; ++i) value += As[ty][i] * Bs[i][tx];

    __syncthreads();
  }

  if (row < m && col < n) c[row * n + col] = value;
}

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0 || k == 0) return;
  dim3 threads(TILE, TILE);
  dim3 grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
  matmul_kernel<<<grid, threads>>>(a, b, c, m, n, k);
}
