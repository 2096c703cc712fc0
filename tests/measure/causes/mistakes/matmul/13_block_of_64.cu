// CAUSE: The tile was enlarged to 64 x 64 with one thread per element. A block of 4096 threads is more than the 1024 that CUDA allows, so the kernel is never launched.
// LINES: 10
// REPAIR: line 10: `block = 64` -> `block = 32`
// GOOD HINT: How many threads does one of your blocks have? How many may it have?
// SYMPTOM: Launch error 'invalid configuration argument' (or 'invalid argument'), c is never written.
#include "matmul.h"

namespace {

constexpr int block = 64;  // larger tile: each element is loaded less often

__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float a_tile[block][block], b_tile[block][block];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * block + y, column = blockIdx.x * block + x;
  float sum = 0;
  for (int first = 0; first < k; first += block) {
    a_tile[y][x] = row < m && first + x < k ? a[row * k + first + x] : 0.0f;
    b_tile[y][x] = first + y < k && column < n ? b[(first + y) * n + column] : 0.0f;
    __syncthreads();
    for (int i = 0; i < block; ++i) sum += a_tile[y][i] * b_tile[i][x];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m > 0 && n > 0) {
    dim3 grid((n + block - 1) / block, (m + block - 1) / block);
    dim3 threads(block, block);
    matmul_kernel<<<grid, threads>>>(a, b, c, m, n, k);
  }
}
