// CAUSE: The index into b takes k for the length of its rows; a row of b has n elements.
// LINES: 24
// REPAIR: b[(p + ty) * n + col]
// SYMPTOM: Right if k equals n; otherwise wrong products, and reads past the end of b where k > n.

#include "matmul.h"

namespace {

constexpr int TILE = 16;

__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE][TILE];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE + ty;
  const int col = blockIdx.x * TILE + tx;

  float sum = 0.0f;
  for (int p = 0; p < k; p += TILE) {
    As[ty][tx] = (row < m && p + tx < k) ? a[row * k + p + tx] : 0.0f;
    Bs[ty][tx] = (p + ty < k && col < n) ? b[(p + ty) * k + col] : 0.0f;
    __syncthreads();

#pragma unroll
    for (int i = 0; i < TILE; ++i) {
      sum += As[ty][i] * Bs[i][tx];
    }
    __syncthreads();
  }

  if (row < m && col < n) c[row * n + col] = sum;
}

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  dim3 threads(TILE, TILE);
  dim3 blocks((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
  matmul_kernel<<<blocks, threads>>>(a, b, c, m, n, k);
}
