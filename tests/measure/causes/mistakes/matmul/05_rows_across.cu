// CAUSE: The grid has its dimensions exchanged: as many blocks in x as c has tiles of rows, but the kernel takes blockIdx.x for columns.
// LINES: 43
// REPAIR: line 43: `blocks(down, across)` -> `blocks(across, down)`
// GOOD HINT: In your kernel, does blockIdx.x count tiles to the right or downward? How many are there of each for a c of 100 rows and 1000 columns, and what does your launch say?
// SYMPTOM: Right for square c. Otherwise tiles at the right or at the bottom are never written (superfluous blocks in the other direction store nothing).
#include "matmul.h"

constexpr int block = 32;

__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float a_tile[block][block];
  __shared__ float b_tile[block][block];
  int x = threadIdx.x;
  int y = threadIdx.y;
  int row = blockIdx.y * block + y;
  int column = blockIdx.x * block + x;
  float sum = 0.0f;

  for (int first = 0; first < k; first += block) {
    // tile of a
    if (row < m && first + x < k)
      a_tile[y][x] = a[row * k + first + x];
    else
      a_tile[y][x] = 0.0f;
    // tile of b
    if (first + y < k && column < n)
      b_tile[y][x] = b[(first + y) * n + column];
    else
      b_tile[y][x] = 0.0f;

    __syncthreads();
    for (int i = 0; i < block; i++) sum += a_tile[y][i] * b_tile[i][x];
    __syncthreads();
  }

  if (row < m && column < n) c[row * n + column] = sum;
}

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  int down = (m + block - 1) / block;    // tiles below one another
  int across = (n + block - 1) / block;  // tiles side by side
  dim3 blocks(down, across);
  dim3 threads(block, block);
  matmul_kernel<<<blocks, threads>>>(a, b, c, m, n, k);
}
