// CAUSE: x is taken from threadIdx.y and y from threadIdx.x, so the 32 lanes of a warp have neighboring rows instead of neighboring columns. They access a, b and c a whole row apart, and the tiles 32 floats apart, in one bank.
// LINES: 14
// REPAIR: line 14: `x = threadIdx.y, y = threadIdx.x` -> `x = threadIdx.x, y = threadIdx.y`
// GOOD HINT: Which of threadIdx.x and threadIdx.y differs between two neighboring lanes of a warp? How far apart in memory are the elements that they load and store?
// SYMPTOM: Results right, but each load and store of a warp takes 32 sectors (uncoalesced), and the tiles have 32-way bank conflicts: slow.
#include "matmul.h"

namespace {

constexpr int block = 32;

__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float a_tile[block][block], b_tile[block][block];
  const int x = threadIdx.y, y = threadIdx.x;
  const int row = blockIdx.y * block + y, column = blockIdx.x * block + x;
  float sum = 0;
  for (int first = 0; first < k; first += block) {
    const int a_column = first + x, b_row = first + y;
    a_tile[y][x] = row < m && a_column < k ? a[row * k + a_column] : 0;
    b_tile[y][x] = b_row < k && column < n ? b[b_row * n + column] : 0;
    __syncthreads();
    for (int i = 0; i < block; ++i) {
      sum += a_tile[y][i] * b_tile[i][x];
    }
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
