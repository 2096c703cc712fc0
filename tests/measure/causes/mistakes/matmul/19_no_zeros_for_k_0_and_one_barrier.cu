// CAUSE: two mistakes: nothing is launched if k is 0, though c has to be filled with zeros; and nothing waits before the next tiles overwrite these
// LINES: 33, 44
// REPAIR: launch also if k is 0; __syncthreads() at the end of the loop
// GOOD HINT: What has to be in c if k is 0? And who may still read the tile that you load next?
// SYMPTOM: c is not written for k = 0; a data race

#include "matmul.h"

namespace {

constexpr int block = 32;

__global__ void product(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float left[block][block], right[block][block];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * block + y;
  const int column = blockIdx.x * block + x;
  const int rounds = (k + block - 1) / block;
  float sum = 0;

  for (int r = 0; r < rounds; ++r) {
    const int a_column = r * block + x;
    const int b_row = r * block + y;

    left[y][x] = 0;
    if (row < m && a_column < k) left[y][x] = a[row * k + a_column];
    right[y][x] = 0;
    if (b_row < k && column < n) right[y][x] = b[b_row * n + column];
    __syncthreads();

    for (int i = 0; i < block; ++i) {
      sum += left[y][i] * right[i][x];
    }
  }

  if (row < m && column < n) {
    c[row * n + column] = sum;
  }
}

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m > 0 && n > 0 && k > 0) {
    const dim3 blocks((n + block - 1) / block, (m + block - 1) / block);
    product<<<blocks, dim3(block, block)>>>(a, b, c, m, n, k);
  }
}
