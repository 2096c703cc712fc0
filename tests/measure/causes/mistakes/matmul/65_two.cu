// CAUSE: (1) threadIdx.x runs down the rows and threadIdx.y along the columns, so the lanes of a warp are in 32 different rows. (2) The number of rounds is rounded down, so the last, partial tiles are left out.
// LINES: 14 19
// REPAIR: (1) const int r = threadIdx.y, q = threadIdx.x; (2) (k + edge - 1) / edge
// SYMPTOM: Wrong sums if k is not a multiple of 32 (all 0 for k < 32); accesses that are not coalesced and bank conflicts of 32 lanes (memory).

#include "matmul.h"

namespace {

constexpr int edge = 32;

__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float ta[edge][edge], tb[edge][edge];
  const int r = threadIdx.x, q = threadIdx.y;  // row and column in the tile
  const int row = blockIdx.y * edge + r;
  const int column = blockIdx.x * edge + q;

  float total = 0;
  const int rounds = k / edge;
  for (int t = 0; t < rounds; ++t) {
    const int first = t * edge;
    ta[r][q] = row < m && first + q < k ? a[row * k + first + q] : 0.0f;
    tb[r][q] = first + r < k && column < n ? b[(first + r) * n + column] : 0.0f;
    __syncthreads();
    for (int i = 0; i < edge; ++i) total += ta[r][i] * tb[i][q];
    __syncthreads();
  }

  if (row < m && column < n) c[row * n + column] = total;
}

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const dim3 blocks((n + edge - 1) / edge, (m + edge - 1) / edge);
  const dim3 threads(edge, edge);
  matmul_kernel<<<blocks, threads>>>(a, b, c, m, n, k);
}
