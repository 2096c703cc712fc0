// CAUSE: the loop over the tiles declares a sum of its own, which hides the one outside; the one that is stored stays 0
// LINES: 27
// REPAIR: leave out the declaration in the loop
// GOOD HINT: How many variables named sum are there? Which of them do you add to, and which do you store?
// SYMPTOM: c is all zeros

#include "matmul.h"

namespace {

constexpr int TILE = 16;

__global__ void multiply(const float* A, const float* B, float* C, int m, int n, int k) {
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE][TILE];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TILE + ty;
  const int col = blockIdx.x * TILE + tx;
  float sum = 0.0f;
  const int steps = (k + TILE - 1) / TILE;
  for (int s = 0; s < steps; ++s) {
    const int ka = s * TILE + tx;
    const int kb = s * TILE + ty;
    As[ty][tx] = row < m && ka < k ? A[row * k + ka] : 0.0f;
    Bs[ty][tx] = kb < k && col < n ? B[kb * n + col] : 0.0f;
    __syncthreads();
    float sum = 0.0f;
    for (int i = 0; i < TILE; ++i) {
      sum += As[ty][i] * Bs[i][tx];
    }
    __syncthreads();
  }
  if (row < m && col < n) C[row * n + col] = sum;
}

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  dim3 grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
  multiply<<<grid, dim3(TILE, TILE)>>>(a, b, c, m, n, k);
}
