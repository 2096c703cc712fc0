// CAUSE: the guard of a's element is that of an element of c: it asks for col < n, and not whether p + tx is within the row of a
// LINES: 21
// REPAIR: row < m && p + tx < k
// GOOD HINT: Which column of a does this thread load, and what is the last one?
// SYMPTOM: wrong for k that is no multiple of 32, or wider than n

#include "matmul.h"

namespace {

constexpr int TILE = 32;

__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty;
  int col = blockIdx.x * TILE + tx;
  float acc = 0.0f;
  for (int p = 0; p < k; p += TILE) {
    As[ty][tx] = (row < m && col < n) ? a[row * k + p + tx] : 0.0f;
    Bs[ty][tx] = (p + ty < k && col < n) ? b[(p + ty) * n + col] : 0.0f;
    __syncthreads();
    for (int i = 0; i < TILE; ++i) acc += As[ty][i] * Bs[i][tx];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = acc;
}

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  dim3 threads(TILE, TILE);
  dim3 grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
  matmul_kernel<<<grid, threads>>>(a, b, c, m, n, k);
}
