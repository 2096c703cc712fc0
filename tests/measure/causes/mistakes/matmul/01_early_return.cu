// CAUSE: Threads without an element of c return before the loop. So they do not load their elements of the tiles, which other threads of the block need, and do not come to the barriers.
// LINES: 16, 25
// REPAIR: delete `if (row >= m || column >= n) return;` (line 16); line 25: `c[row * n + column] = sum;` -> `if (row < m && column < n) c[row * n + column] = sum;`
// GOOD HINT: Take a c of 32 rows and 5 columns. Which threads are left after your first test, and who loads columns 5 to 31 of a's tile?
// SYMPTOM: Uninitialized slots and wrong sums in tiles at the right and lower edge of c, unless m and n are multiples of 32; divergent barriers.
#include "matmul.h"

namespace {

constexpr int block = 32;

__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float a_tile[block][block], b_tile[block][block];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * block + y, column = blockIdx.x * block + x;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int first = 0; first < k; first += block) {
    a_tile[y][x] = row < m && first + x < k ? a[row * k + first + x] : 0.0f;
    b_tile[y][x] = first + y < k && column < n ? b[(first + y) * n + column] : 0.0f;
    __syncthreads();
    for (int i = 0; i < block; ++i) sum += a_tile[y][i] * b_tile[i][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const dim3 grid((n + block - 1) / block, (m + block - 1) / block);
  matmul_kernel<<<grid, dim3(block, block)>>>(a, b, c, m, n, k);
}
