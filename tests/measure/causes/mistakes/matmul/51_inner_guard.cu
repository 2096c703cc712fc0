// CAUSE: The guard of the load from a compares the column of a with n, the columns of b; a row of a has k elements.
// LINES: 24
// REPAIR: line 24: `if (Row < m && aCol < n) {` -> `if (Row < m && aCol < k) {`
// SYMPTOM: Right if n = k; with n < k products are left out, with n > k the last tile takes elements of the next row of a (and reads past the end of a), and multiplies them with zeros: NaN if one is infinite.
#include "matmul.h"

#define TILE_WIDTH 16

__global__ void MatrixMul(const float* A, const float* B, float* C, int m, int n, int k) {
  __shared__ float As[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Bs[TILE_WIDTH][TILE_WIDTH];

  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int Row = blockIdx.y * TILE_WIDTH + ty;
  int Col = blockIdx.x * TILE_WIDTH + tx;

  float Pvalue = 0;

  for (int ph = 0; ph < (k + TILE_WIDTH - 1) / TILE_WIDTH; ph++) {
    int aCol = ph * TILE_WIDTH + tx;
    int bRow = ph * TILE_WIDTH + ty;

    if (Row < m && aCol < n) {
      As[ty][tx] = A[Row * k + aCol];
    } else {
      As[ty][tx] = 0;
    }
    if (bRow < k && Col < n) {
      Bs[ty][tx] = B[bRow * n + Col];
    } else {
      Bs[ty][tx] = 0;
    }
    __syncthreads();

    for (int i = 0; i < TILE_WIDTH; i++) {
      Pvalue += As[ty][i] * Bs[i][tx];
    }
    __syncthreads();
  }

  if (Row < m && Col < n) {
    C[Row * n + Col] = Pvalue;
  }
}

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  dim3 dimBlock(TILE_WIDTH, TILE_WIDTH);
  dim3 dimGrid((n + TILE_WIDTH - 1) / TILE_WIDTH, (m + TILE_WIDTH - 1) / TILE_WIDTH);
  MatrixMul<<<dimGrid, dimBlock>>>(a, b, c, m, n, k);
}
