// CAUSE: A thread has four rows of c, eight apart. Before the store, only the first of them is compared with m.
// LINES: 38
// REPAIR: line 38: `if (row < m && col < n) c[(row + q * lines) * n + col] = sums[q];` -> `if (row + q * lines < m && col < n) c[(row + q * lines) * n + col] = sums[q];`
// SYMPTOM: Where m is no multiple of 32, rows past the end are stored.

#include "matmul.h"

namespace {

constexpr int size = 32;   // of a tile
constexpr int lines = 8;   // of threads in a block
constexpr int each = size / lines;

__global__ void product(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float left[size][size];
  __shared__ float right[size][size];
  const int col = blockIdx.x * size + threadIdx.x;
  const int top = blockIdx.y * size;
  float sums[each] = {};

  for (int begin = 0; begin < k; begin += size) {
    for (int r = threadIdx.y; r < size; r += lines) {
      const int a_col = begin + threadIdx.x;
      const int b_row = begin + r;
      left[r][threadIdx.x] = top + r < m && a_col < k ? a[(top + r) * k + a_col] : 0.0f;
      right[r][threadIdx.x] = b_row < k && col < n ? b[b_row * n + col] : 0.0f;
    }
    __syncthreads();
    for (int i = 0; i < size; ++i) {
      const float value = right[i][threadIdx.x];
      for (int q = 0; q < each; ++q) sums[q] += left[threadIdx.y + q * lines][i] * value;
    }
    __syncthreads();
  }

  const int row = top + threadIdx.y;
  for (int q = 0; q < each; ++q) {
    if (row < m && col < n) c[(row + q * lines) * n + col] = sums[q];
  }
}

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const dim3 threads(size, lines);
  const dim3 blocks((n + size - 1) / size, (m + size - 1) / size);
  product<<<blocks, threads>>>(a, b, c, m, n, k);
}
