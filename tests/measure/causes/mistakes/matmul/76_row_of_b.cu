// CAUSE: The row of b is first + y, as in the guard, but the index uses x, as for a.
// LINES: 22
// REPAIR: bs[y][x] = (first + y < k && column < n) ? b[(first + y) * n + column] : 0.0f;
// SYMPTOM: The tile of b holds wrong elements, all products are wrong, and rows past the end of b are read.

#include "matmul.h"

namespace {

constexpr int kTile = 32;

__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float as[kTile][kTile];
  __shared__ float bs[kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * kTile + y;
  const int column = blockIdx.x * kTile + x;

  float sum = 0;
  for (int first = 0; first < k; first += kTile) {
    as[y][x] = (row < m && first + x < k) ? a[row * k + first + x] : 0.0f;
    bs[y][x] = (first + y < k && column < n) ? b[(first + x) * n + column] : 0.0f;
    __syncthreads();
    for (int i = 0; i < kTile; ++i) sum += as[y][i] * bs[i][x];
    __syncthreads();
  }

  if (row < m && column < n) c[row * n + column] = sum;
}

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const dim3 threads(kTile, kTile);
  const dim3 blocks((n + kTile - 1) / kTile, (m + kTile - 1) / kTile);
  matmul_kernel<<<blocks, threads>>>(a, b, c, m, n, k);
}
