// CAUSE: The function does nothing for k = 0. Then c has to be filled with zeros.
// LINES: 43
// REPAIR: line 43: `if (m == 0 || n == 0 || k == 0) return;` -> `if (m == 0 || n == 0) return;`
// SYMPTOM: c is not written if k is 0.

#include "matmul.h"

namespace {

template <int T>
struct Tile {
  float at[T][T + 1];
};

template <int T>
__global__ void multiply(const float* __restrict__ a, const float* __restrict__ b,
                         float* __restrict__ c, int m, int n, int k) {
  __shared__ Tile<T> as, bs;
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int column = blockIdx.x * T + tx;
  const int row = blockIdx.y * T + ty;

  float result = 0.0f;
  const int rounds = (k + T - 1) / T;
  for (int round = 0; round < rounds; round++) {
    const int ka = round * T + tx;
    const int kb = round * T + ty;
    as.at[ty][tx] = (row < m && ka < k) ? a[size_t(row) * k + ka] : 0.0f;
    bs.at[ty][tx] = (kb < k && column < n) ? b[size_t(kb) * n + column] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < T; i++) result = fmaf(as.at[ty][i], bs.at[i][tx], result);
    __syncthreads();
  }
  if (row < m && column < n) c[size_t(row) * n + column] = result;
}

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  constexpr int T = 16;
  if (m == 0 || n == 0 || k == 0) return;
  dim3 threads(T, T);
  dim3 blocks;
  blocks.x = (n + T - 1) / T;
  blocks.y = (m + T - 1) / T;
  multiply<T><<<blocks, threads>>>(a, b, c, m, n, k);
}
