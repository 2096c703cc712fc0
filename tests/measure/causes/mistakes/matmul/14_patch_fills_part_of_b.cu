// CAUSE: With patches of 4 x 4 results, b's tile has 16 x 64 elements, but the loop that fills it stops at 16 * 16. Its rows 4 to 15 are never loaded.
// LINES: 29
// REPAIR: line 29: `e < depth * depth` -> `e < depth * edge`
// GOOD HINT: How many elements does b's tile have, and how many times does your second loading loop run for each of the 256 threads?
// SYMPTOM: Uninitialized reads of b's tile, wrong sums for k > 4 (for k <= 4 the rest is garbage times 0, NaN at worst).
#include "matmul.h"

namespace {

constexpr int edge = 64;              // rows and columns of c per block
constexpr int depth = 16;             // products per round
constexpr int patch = 4;              // rows and columns of c per thread
constexpr int side = edge / patch;    // threads in x and in y
constexpr int threads = side * side;  // 256

__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float a_tile[edge][depth];
  __shared__ float b_tile[depth][edge];
  const int x = threadIdx.x, y = threadIdx.y;
  const int thread = y * side + x;
  const int top = blockIdx.y * edge, left = blockIdx.x * edge;

  float sum[patch][patch] = {};
  for (int first = 0; first < k; first += depth) {
    for (int e = thread; e < edge * depth; e += threads) {
      const int r = e / depth, i = e % depth;
      a_tile[r][i] = top + r < m && first + i < k ? a[(top + r) * k + first + i] : 0.0f;
    }
    for (int e = thread; e < depth * depth; e += threads) {
      const int i = e / edge, s = e % edge;
      b_tile[i][s] = first + i < k && left + s < n ? b[(first + i) * n + left + s] : 0.0f;
    }
    __syncthreads();

    for (int i = 0; i < depth; ++i) {
      float from_a[patch], from_b[patch];
#pragma unroll
      for (int p = 0; p < patch; ++p) {
        from_a[p] = a_tile[y + p * side][i];
        from_b[p] = b_tile[i][x + p * side];
      }
#pragma unroll
      for (int p = 0; p < patch; ++p) {
#pragma unroll
        for (int q = 0; q < patch; ++q) sum[p][q] += from_a[p] * from_b[q];
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (int p = 0; p < patch; ++p) {
#pragma unroll
    for (int q = 0; q < patch; ++q) {
      const int row = top + y + p * side, column = left + x + q * side;
      if (row < m && column < n) c[row * n + column] = sum[p][q];
    }
  }
}

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const dim3 grid((n + edge - 1) / edge, (m + edge - 1) / edge);
  matmul_kernel<<<grid, dim3(side, side)>>>(a, b, c, m, n, k);
}
