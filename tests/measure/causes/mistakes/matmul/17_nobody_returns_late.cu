// CAUSE: threads without an element of c return before the loop, so their parts of the tiles are never loaded, and they miss the barriers
// LINES: 19
// REPAIR: keep these threads in the loop, and ask only before the store
// GOOD HINT: If a thread has no element of c, who loads its elements of the tiles?
// SYMPTOM: wrong at the edges, or barriers that not all reach

#include "matmul.h"

namespace {

constexpr int TILE = 32;

__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float sA[TILE][TILE];
  __shared__ float sB[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty;
  int col = blockIdx.x * TILE + tx;
  if (row >= m || col >= n) return;
  float acc = 0.0f;
  for (int t = 0; t < k; t += TILE) {
    sA[ty][tx] = (row < m && t + tx < k) ? a[row * k + t + tx] : 0.0f;
    sB[ty][tx] = (t + ty < k && col < n) ? b[(t + ty) * n + col] : 0.0f;
    __syncthreads();
    for (int i = 0; i < TILE; ++i) acc += sA[ty][i] * sB[i][tx];
    __syncthreads();
  }
  c[row * n + col] = acc;
}

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  dim3 threads(TILE, TILE);
  dim3 grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
  matmul_kernel<<<grid, threads>>>(a, b, c, m, n, k);
}
