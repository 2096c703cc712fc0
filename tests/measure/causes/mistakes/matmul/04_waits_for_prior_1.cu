// CAUSE: In every round the thread waits until all but the newest group of copies are here. In the last round no new group was begun, so the newest one is the pair of tiles that is multiplied: nobody waits for it.
// LINES: 36
// REPAIR: line 36: `__pipeline_wait_prior(1)` -> `__pipeline_wait_prior(first + block < k ? 1 : 0)`
// GOOD HINT: Count the groups that have been committed when the last round begins. Which of them may still be on its way after your wait, and which one do you multiply?
// SYMPTOM: The last pair of tiles may be read before it has arrived: wrong sums or a race, for all k > 0, always for k <= 32 (the only tile).
#include <cuda_pipeline.h>

#include "matmul.h"

namespace {

constexpr int block = 32;

__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int k) {
  // two pairs of tiles: one is multiplied while the other one is loaded
  __shared__ float a_tile[2][block][block], b_tile[2][block][block];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * block + y, column = blockIdx.x * block + x;

  // begins to copy a pair of tiles, with zeros past the end
  const auto begin_copy = [&](int first, int stage) {
    const bool has_a = row < m && first + x < k;
    const bool has_b = first + y < k && column < n;
    __pipeline_memcpy_async(&a_tile[stage][y][x], &a[has_a ? row * k + first + x : 0],
                            sizeof(float), has_a ? 0 : sizeof(float));
    __pipeline_memcpy_async(&b_tile[stage][y][x], &b[has_b ? (first + y) * n + column : 0],
                            sizeof(float), has_b ? 0 : sizeof(float));
    __pipeline_commit();
  };

  float sum = 0;
  int now = 0;
  if (k > 0) begin_copy(0, now);
  for (int first = 0; first < k; first += block) {
    if (first + block < k) begin_copy(first + block, 1 - now);
    __pipeline_wait_prior(1);  // the next pair may still be on its way
    __syncthreads();
    for (int i = 0; i < block; ++i) sum += a_tile[now][y][i] * b_tile[now][i][x];
    __syncthreads();
    now = 1 - now;
  }

  if (row < m && column < n) c[row * n + column] = sum;
}

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const dim3 grid((n + block - 1) / block, (m + block - 1) / block);
  matmul_kernel<<<grid, dim3(block, block)>>>(a, b, c, m, n, k);
}
