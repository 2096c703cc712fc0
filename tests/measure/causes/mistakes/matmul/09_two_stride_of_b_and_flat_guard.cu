// CAUSE: Two mistakes. (1) A row of b has n elements, but the index of b uses k as the length of a row. (2) The store only tests that the flat index is inside of c, so columns past n are stored over the beginning of the next rows.
// LINES: 24, 31
// REPAIR: line 24: `b[(first + y) * k + column]` -> `b[(first + y) * n + column]`; line 31: `row * n + column < m * n` -> `row < m && column < n`
// GOOD HINT: (1) How many elements does a row of b have? Follow the index of b[1][0] for a 5 x 3 matrix b. (2) Where in c does the thread with row 0 and column n store its sum, and whose element is that?
// SYMPTOM: Right only where n = k and n is a multiple of 16. Otherwise wrong elements of b and reads outside of it, and elements of c overwritten by neighbors: a race.
#include "matmul.h"

namespace {

constexpr int block = 16;

__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float a_tile[block][block];
  __shared__ float b_tile[block][block];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * block + y;
  const int column = blockIdx.x * block + x;

  float sum = 0.0f;
  for (int first = 0; first < k; first += block) {
    a_tile[y][x] = 0.0f;
    b_tile[y][x] = 0.0f;
    if (row < m && first + x < k) a_tile[y][x] = a[row * k + first + x];
    if (first + y < k && column < n) b_tile[y][x] = b[(first + y) * k + column];
    __syncthreads();
    for (int i = 0; i < block; ++i) sum += a_tile[y][i] * b_tile[i][x];
    __syncthreads();
  }

  // only if c has this element
  if (row * n + column < m * n) c[row * n + column] = sum;
}

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const dim3 threads(block, block);
  const dim3 grid((n + block - 1) / block, (m + block - 1) / block);
  matmul_kernel<<<grid, threads>>>(a, b, c, m, n, k);
}
