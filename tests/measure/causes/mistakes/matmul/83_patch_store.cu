// CAUSE: The rows of a thread's patch are 16 apart: result r belongs to row ty + 16 * r of the tile, as in the multiplication. When the patch is stored, the rows are taken as neighbors, 4 * ty + r, so the rows of the tile are exchanged.
// LINES: 49
// REPAIR: line 49: `const int row = row0 + P * ty + r;` -> `const int row = row0 + ty + TH * r;`
// SYMPTOM: The right numbers in the wrong rows of each 64 x 64 tile.

#include "matmul.h"

namespace {

constexpr int TS = 64;   // tile of c
constexpr int TK = 16;   // how much of k at a time
constexpr int TH = 16;   // threads in x and in y
constexpr int P = TS / TH;  // patch of P x P results per thread

__global__ void matmulPatch(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float as[TS][TK + 1];
  __shared__ float bs[TK][TS];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int id = ty * TH + tx;
  const int row0 = blockIdx.y * TS, col0 = blockIdx.x * TS;

  float acc[P][P] = {};

  for (int k0 = 0; k0 < k; k0 += TK) {
    // 64 x 16 elements of a: 4 per thread
    for (int e = id; e < TS * TK; e += TH * TH) {
      const int r = e / TK, q = e % TK;
      as[r][q] = (row0 + r < m && k0 + q < k) ? a[(row0 + r) * k + k0 + q] : 0.0f;
    }
    // 16 x 64 elements of b
    for (int e = id; e < TK * TS; e += TH * TH) {
      const int q = e / TS, s = e % TS;
      bs[q][s] = (k0 + q < k && col0 + s < n) ? b[(k0 + q) * n + col0 + s] : 0.0f;
    }
    __syncthreads();

    for (int q = 0; q < TK; ++q) {
      float av[P], bv[P];
      for (int r = 0; r < P; ++r) av[r] = as[ty + TH * r][q];
      for (int s = 0; s < P; ++s) bv[s] = bs[q][tx + TH * s];
      for (int r = 0; r < P; ++r)
        for (int s = 0; s < P; ++s) acc[r][s] += av[r] * bv[s];
    }
    __syncthreads();
  }

  for (int r = 0; r < P; ++r) {
    const int row = row0 + P * ty + r;
    if (row >= m) continue;
    for (int s = 0; s < P; ++s) {
      const int col = col0 + tx + TH * s;
      if (col < n) c[row * n + col] = acc[r][s];
    }
  }
}

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  dim3 grid((n + TS - 1) / TS, (m + TS - 1) / TS);
  matmulPatch<<<grid, dim3(TH, TH)>>>(a, b, c, m, n, k);
}
