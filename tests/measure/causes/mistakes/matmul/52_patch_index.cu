// CAUSE: The tile of a has BK = 16 columns, so element e is in row e / BK and column e % BK; the row is computed as e / BM, with the 64 rows of the tile.
// LINES: 26
// REPAIR: line 26: `const int r = e / BM, kk = e % BK;` -> `const int r = e / BK, kk = e % BK;`
// SYMPTOM: Only 16 of the 64 rows of a's tile are loaded, each from several threads at once (a data race), and the others hold what was there before: nearly all results are wrong.
#include "matmul.h"

namespace {

constexpr int BM = 64, BN = 64, BK = 16;  // c's tile is BM x BN, BK at a time
constexpr int TM = 4, TN = 4;             // results per thread
constexpr int THREADS = (BM / TM) * (BN / TN);

__global__ void __launch_bounds__(THREADS)
    matmul_patches(const float* __restrict__ a, const float* __restrict__ b,
                   float* __restrict__ c, int m, int n, int k) {
  __shared__ float as[BK][BM + 1];  // transposed
  __shared__ float bs[BK][BN];
  const int t = threadIdx.x;
  const int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;
  const int ty = t / (BN / TN), tx = t % (BN / TN);

  float acc[TM][TN] = {};

  for (int k0 = 0; k0 < k; k0 += BK) {
    for (int e = t; e < BM * BK; e += THREADS) {
      const int r = e / BM, kk = e % BK;
      const bool there = row0 + r < m && k0 + kk < k;
      as[kk][r] = there ? a[(row0 + r) * k + k0 + kk] : 0.0f;
    }
    for (int e = t; e < BK * BN; e += THREADS) {
      const int kk = e / BN, q = e % BN;
      const bool there = k0 + kk < k && col0 + q < n;
      bs[kk][q] = there ? b[(k0 + kk) * n + col0 + q] : 0.0f;
    }
    __syncthreads();

#pragma unroll
    for (int kk = 0; kk < BK; ++kk) {
      float x[TM], y[TN];
      for (int i = 0; i < TM; ++i) x[i] = as[kk][ty * TM + i];
      for (int j = 0; j < TN; ++j) y[j] = bs[kk][tx + j * (BN / TN)];
      for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j) acc[i][j] += x[i] * y[j];
    }
    __syncthreads();
  }

  for (int i = 0; i < TM; ++i) {
    for (int j = 0; j < TN; ++j) {
      const int r = row0 + ty * TM + i, q = col0 + tx + j * (BN / TN);
      if (r < m && q < n) c[r * n + q] = acc[i][j];
    }
  }
}

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const dim3 grid((n + BN - 1) / BN, (m + BM - 1) / BM);
  matmul_patches<<<grid, THREADS>>>(a, b, c, m, n, k);
}
