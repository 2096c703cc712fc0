// CAUSE: Past the end of a row, a's tile is filled with what follows in memory (the next row, and past the last row anything), in the belief that the zeros of b's tile cancel it. 0 times infinity or NaN is NaN, and the last row reads outside of a.
// LINES: 19
// REPAIR: line 19: `row < m ?` -> `row < m && first + x < k ?`
// GOOD HINT: In the last round, what lies in memory behind the end of a row of a? And what is 0 times it, if it is infinite? What lies behind the last row?
// SYMPTOM: Right for finite numbers when k is no multiple of 32; NaN in the row above an infinity or NaN; reads past the end of a.
#include "matmul.h"

namespace {

constexpr int block = 32;

__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float a_tile[block][block], b_tile[block][block];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * block + y, column = blockIdx.x * block + x;
  float sum = 0;
  for (int first = 0; first < k; first += block) {
    // Columns past k meet rows of zeros in b_tile, so they add nothing.
    a_tile[y][x] = row < m ? a[row * k + first + x] : 0.0f;
    b_tile[y][x] = first + y < k && column < n ? b[(first + y) * n + column] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < block; ++i) sum += a_tile[y][i] * b_tile[i][x];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const dim3 grid((n + block - 1) / block, (m + block - 1) / block);
  const dim3 threads(block, block);
  matmul_kernel<<<grid, threads>>>(a, b, c, m, n, k);
}
