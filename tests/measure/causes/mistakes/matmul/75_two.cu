// CAUSE: (1) The guard for a compares the column with n, but a has k columns. (2) There is no barrier at the end of the loop, so fast threads load the next tiles while slow ones still multiply.
// LINES: 24 after 39
// REPAIR: (1) if (row < m && t * W + tx < k) { (2) insert __syncthreads();
// SYMPTOM: Wrong sums where k > n, because elements of a are left out; where k < n and k is no multiple of 32, reads of the next row of a and, in the last row, past its end; and a data race on the tiles for k > 32.
#include "matmul.h"

namespace {

constexpr int W = 32;

__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float tileA[W][W];
  __shared__ float tileB[W][W];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = ty + blockDim.y * blockIdx.y;
  const int col = tx + blockDim.x * blockIdx.x;

  float total = 0.0f;

  for (int t = 0; t * W < k; t++) {
    // load both tiles
    if (row < m && t * W + tx < n) {
      tileA[ty][tx] = a[row * k + t * W + tx];
    } else {
      tileA[ty][tx] = 0.0f;
    }
    if (t * W + ty < k && col < n) {
      tileB[ty][tx] = b[(t * W + ty) * n + col];
    } else {
      tileB[ty][tx] = 0.0f;
    }
    __syncthreads();

    // multiply
    for (int i = 0; i < W; i++) {
      total += tileA[ty][i] * tileB[i][tx];
    }
  }

  if (row < m && col < n) {
    c[row * n + col] = total;
  }
}

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  dim3 threads(W, W);
  dim3 blocks((n + W - 1) / W, (m + W - 1) / W);
  matmul_kernel<<<blocks, threads>>>(a, b, c, m, n, k);
}
