// CAUSE: the loop goes along column x of the right tile by its second index: it multiplies by row x, so b counts as transposed
// LINES: 32
// REPAIR: right[i][x]
// GOOD HINT: Which index of the right tile is the row, and which one has to run?
// SYMPTOM: wrong for all matrices whose tiles are not symmetric; bank conflicts

#include "matmul.h"

namespace {

constexpr int TS = 32;

__global__ void product(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float left[TS][TS], right[TS][TS];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * TS + y;
  const int column = blockIdx.x * TS + x;
  const int rounds = (k + TS - 1) / TS;
  float sum = 0;

  for (int step = 0; step < rounds; ++step) {
    const int a_column = step * TS + x;
    const int b_row = step * TS + y;

    left[y][x] = 0;
    if (row < m && a_column < k) left[y][x] = a[row * k + a_column];
    right[y][x] = 0;
    if (b_row < k && column < n) right[y][x] = b[b_row * n + column];
    __syncthreads();

    for (int i = 0; i < TS; ++i) {
      sum += left[y][i] * right[x][i];
    }
    __syncthreads();
  }

  if (row < m && column < n) {
    c[row * n + column] = sum;
  }
}

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m > 0 && n > 0) {
    const dim3 blocks((n + TS - 1) / TS, (m + TS - 1) / TS);
    product<<<blocks, dim3(TS, TS)>>>(a, b, c, m, n, k);
  }
}
