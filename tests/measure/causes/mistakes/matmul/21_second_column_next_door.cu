// CAUSE: a thread's second sum belongs to the column 16 further on, but it is stored in the next column
// LINES: 36
// REPAIR: col + T instead of col + 1, in the guard and in the index
// GOOD HINT: Which column of Bs does sum1 come from? To which column of c does that belong?
// SYMPTOM: wrong elements, races between neighbors, columns 17 to 31 of each tile are never written

#include "matmul.h"

#define T 16

// Each thread makes two elements of a row, T apart. A block makes 16 x 32.
__global__ void mm2(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float As[T][T];
  __shared__ float Bs[T][2 * T];
  int x = threadIdx.x;
  int y = threadIdx.y;
  int row = blockIdx.y * T + y;
  int col = blockIdx.x * 2 * T + x;
  float sum0 = 0, sum1 = 0;

  for (int p = 0; p < k; p += T) {
    As[y][x] = (row < m && p + x < k) ? a[row * k + p + x] : 0;
    Bs[y][x] = (p + y < k && col < n) ? b[(p + y) * n + col] : 0;
    Bs[y][x + T] = (p + y < k && col + T < n) ? b[(p + y) * n + col + T] : 0;
    __syncthreads();
    for (int i = 0; i < T; i++) {
      float left = As[y][i];
      sum0 += left * Bs[i][x];
      sum1 += left * Bs[i][x + T];
    }
    __syncthreads();
  }

  if (row < m) {
    if (col < n) c[row * n + col] = sum0;
    if (col + 1 < n) c[row * n + col + 1] = sum1;
  }
}

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m > 0 && n > 0) {
    dim3 block(T, T);
    dim3 grid((n + 2 * T - 1) / (2 * T), (m + T - 1) / T);
    mm2<<<grid, block>>>(a, b, c, m, n, k);
  }
}
