// CAUSE: k / T rounds down: if k is no multiple of 16, the last, partly filled pair of tiles is left out.
// LINES: 18
// REPAIR: const int rounds = (k + T - 1) / T;
// SYMPTOM: All sums lack the last k % 16 products; for k < 16, c is full of zeros.
#include "matmul.h"

namespace {

constexpr int T = 16;

// 256 threads in a row make the 16 x 16 elements of a tile.
__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float ta[T][T], tb[T][T];
  const int x = threadIdx.x % T;
  const int y = threadIdx.x / T;
  const int row = blockIdx.y * T + y;
  const int column = blockIdx.x * T + x;
  const int rounds = k / T;

  float sum = 0.0f;
  for (int r = 0; r < rounds; ++r) {
    const int ka = r * T + x;
    const int kb = r * T + y;
    ta[y][x] = row < m && ka < k ? a[row * k + ka] : 0.0f;
    tb[y][x] = kb < k && column < n ? b[kb * n + column] : 0.0f;
    __syncthreads();

    for (int j = 0; j < T; ++j) sum += ta[y][j] * tb[j][x];
    __syncthreads();
  }

  if (row < m && column < n) {
    c[row * n + column] = sum;
  }
}

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m > 0 && n > 0) {
    const dim3 grid((n - 1) / T + 1, (m - 1) / T + 1);
    matmul_kernel<<<grid, T * T>>>(a, b, c, m, n, k);
  }
}
