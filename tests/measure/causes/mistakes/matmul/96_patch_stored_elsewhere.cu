// CAUSE: A thread computes the columns tx, tx + 16, tx + 32 and tx + 48 of the tile, but stores its sums in the columns 4 * tx to 4 * tx + 3.
// LINES: 58
// REPAIR: line 58: `const int column = left + tx * patch + q;` -> `const int column = left + tx + q * threads;`
// SYMPTOM: Within each row of a tile of c the elements are in the wrong order (only the first and last columns are right).

#include "matmul.h"

// A block of 16 x 16 threads makes 64 x 64 elements of c, each thread 4 x 4 of them. The rows and
// columns of a thread are 16 apart, so that threads of a warp read neighbors in the tiles.

namespace {

constexpr int threads = 16;           // along each side of the block
constexpr int patch = 4;              // results of a thread along each side
constexpr int edge = threads * patch; // of the block's tile of c
constexpr int depth = 16;             // columns of a, and rows of b, at a time

__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float a_tile[depth][edge + 1];  // transposed
  __shared__ float b_tile[depth][edge];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int thread = ty * threads + tx;
  const int top = blockIdx.y * edge, left = blockIdx.x * edge;
  float sum[patch][patch] = {};

  for (int first = 0; first < k; first += depth) {
    for (int e = thread; e < edge * depth; e += threads * threads) {
      const int row = top + e / depth, i = first + e % depth;
      a_tile[e % depth][e / depth] = row < m && i < k ? a[row * k + i] : 0;
    }
    for (int e = thread; e < edge * depth; e += threads * threads) {
      const int i = first + e / edge, column = left + e % edge;
      b_tile[e / edge][e % edge] = i < k && column < n ? b[i * n + column] : 0;
    }
    __syncthreads();

#pragma unroll
    for (int i = 0; i < depth; ++i) {
      float of_a[patch], of_b[patch];
#pragma unroll
      for (int p = 0; p < patch; ++p) {
        of_a[p] = a_tile[i][ty + p * threads];
        of_b[p] = b_tile[i][tx + p * threads];
      }
#pragma unroll
      for (int p = 0; p < patch; ++p)
#pragma unroll
        for (int q = 0; q < patch; ++q) sum[p][q] += of_a[p] * of_b[q];
    }
    __syncthreads();
  }

#pragma unroll
  for (int p = 0; p < patch; ++p) {
    const int row = top + ty + p * threads;
#pragma unroll
    for (int q = 0; q < patch; ++q) {
      const int column = left + tx * patch + q;
      if (row < m && column < n) c[row * n + column] = sum[p][q];
    }
  }
}

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const dim3 grid((n + edge - 1) / edge, (m + edge - 1) / edge);
  matmul_kernel<<<grid, dim3(threads, threads)>>>(a, b, c, m, n, k);
}
