// CAUSE: a's tile is stored the other way around (task 8) in rows of exactly 32 floats. The lanes of a warp write to a_tile[x][y] 32 floats apart, all in the same bank: a 32-way bank conflict at each store.
// LINES: 13
// REPAIR: line 13: `a_tile[block][block]` -> `a_tile[block][block + 1]`
// GOOD HINT: How far apart are the places where two neighboring lanes store their element of a? In which bank is each of them, and what would one spare float per row change?
// SYMPTOM: Results right, but 32 passes for each store to a's tile, more than 2.5 passes of shared memory per multiply-add.
#include "matmul.h"

namespace {

constexpr int block = 32;

__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float a_tile[block][block];  // transposed: a_tile[i][row]
  __shared__ float b_tile[block][block];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * block + y, column = blockIdx.x * block + x;
  float sum = 0;
  for (int first = 0; first < k; first += block) {
    a_tile[x][y] = row < m && first + x < k ? a[row * k + first + x] : 0.0f;
    b_tile[y][x] = first + y < k && column < n ? b[(first + y) * n + column] : 0.0f;
    __syncthreads();
    for (int i = 0; i < block; ++i) sum += a_tile[i][y] * b_tile[i][x];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}

int tiles(int elements) { return (elements + block - 1) / block; }

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  matmul_kernel<<<dim3(tiles(n), tiles(m)), dim3(block, block)>>>(a, b, c, m, n, k);
}
