// CAUSE: The guard of b's tile tests first + x against k, but in `b` the thread's row is first + y; x is its column there.
// LINES: 18
// REPAIR: line 18: `b_tile[y][x] = first + x < k && column < n ? b[(first + y) * n + column] : 0;` -> `b_tile[y][x] = first + y < k && column < n ? b[(first + y) * n + column] : 0;`
// SYMPTOM: If k is no multiple of 32, rows past the end of `b` are loaded and others replaced by 0: stray loads and wrong sums.
#include "matmul.h"

namespace {

constexpr int block = 32;

__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float a_tile[block][block], b_tile[block][block];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * block + y, column = blockIdx.x * block + x;
  float sum = 0;
  for (int first = 0; first < k; first += block) {
    a_tile[y][x] = row < m && first + x < k ? a[row * k + first + x] : 0;
    b_tile[y][x] = first + x < k && column < n ? b[(first + y) * n + column] : 0;
    __syncthreads();
    for (int i = 0; i < block; ++i) sum += a_tile[y][i] * b_tile[i][x];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const dim3 grid((n + block - 1) / block, (m + block - 1) / block);
  matmul_kernel<<<grid, dim3(block, block)>>>(a, b, c, m, n, k);
}
