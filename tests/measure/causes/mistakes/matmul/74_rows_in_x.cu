// CAUSE: threadIdx.x, which counts the lanes of a warp, runs along the rows instead of the columns, so neighboring lanes load and store elements of different rows.
// LINES: 16
// REPAIR: const int r = threadIdx.y, q = threadIdx.x;
// SYMPTOM: Results are right, but loads and stores are not coalesced (up to 32 sectors each), and the lanes of a warp access a column of the tile: bank conflicts.
#include "matmul.h"

namespace {

constexpr int size = 32;

__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float left[size][size];
  __shared__ float right[size][size];

  // This thread's row and column in the tile, and in c.
  const int r = threadIdx.x, q = threadIdx.y;
  const int row = blockIdx.y * size + r;
  const int col = blockIdx.x * size + q;

  float acc = 0.0f;
  for (int k0 = 0; k0 < k; k0 += size) {
    left[r][q] = (row < m && k0 + q < k) ? a[row * k + (k0 + q)] : 0.0f;
    right[r][q] = (k0 + r < k && col < n) ? b[(k0 + r) * n + col] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < size; ++i) {
      acc += left[r][i] * right[i][q];
    }
    __syncthreads();
  }

  if (row >= m || col >= n) return;
  c[row * n + col] = acc;
}

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m > 0 && n > 0) {
    dim3 block(size, size);
    dim3 grid((n + size - 1) / size, (m + size - 1) / size);
    matmul_kernel<<<grid, block>>>(a, b, c, m, n, k);
  }
}
