// CAUSE: Two mistakes. (1) The guard for a's tile tests the row only: past the end of a row it loads elements of the next one (or past the end of a) instead of zeros. (2) The sum is added to c (+=) instead of stored, but c holds anything at first.
// LINES: 16 46
// REPAIR: line 16: `if (row < m) v = a[row * k + col];` -> `if (row < m && col < k) v = a[row * k + col];`; line 46: `c[row * n + col] += s;` -> `c[row * n + col] = s;`
// SYMPTOM: Reads past the end of a if k is not a multiple of 32, NaNs where 0 meets an infinity, and results that contain what was in c before.

#include "matmul.h"

namespace {

constexpr int D = 32;
using Tile = float[D][D];

__device__ void loadA(Tile& t, const float* a, int row, int first, int m, int k) {
  const int col = first + threadIdx.x;
  float v = 0;
  if (row < m) v = a[row * k + col];
  t[threadIdx.y][threadIdx.x] = v;
}

__device__ void loadB(Tile& t, const float* b, int first, int col, int k, int n) {
  const int row = first + threadIdx.y;
  float v = 0;
  if (row < k && col < n) v = b[row * n + col];
  t[threadIdx.y][threadIdx.x] = v;
}

__device__ float dot(const Tile& ta, const Tile& tb) {
  float s = 0;
  for (int i = 0; i < D; ++i) s += ta[threadIdx.y][i] * tb[i][threadIdx.x];
  return s;
}

__global__ void product(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ Tile ta, tb;
  const int row = blockIdx.y * D + threadIdx.y;
  const int col = blockIdx.x * D + threadIdx.x;
  float s = 0;
  for (int first = 0; first < k; first += D) {
    loadA(ta, a, row, first, m, k);
    loadB(tb, b, first, col, k, n);
    __syncthreads();
    s += dot(ta, tb);
    __syncthreads();
  }
  if (row >= m || col >= n) return;
  c[row * n + col] += s;
}

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (!m || !n) return;
  product<<<dim3((n + D - 1) / D, (m + D - 1) / D), dim3(D, D)>>>(a, b, c, m, n, k);
}
