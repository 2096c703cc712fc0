// CAUSE: The function also returns when only k is 0, but then c is not empty and has to be filled with zeros.
// LINES: 50
// REPAIR: if (m == 0 || n == 0) return;
// SYMPTOM: For k = 0 nothing is written to c; everything else is right.

#include "matmul.h"

namespace {

constexpr int T = 32;

int roundUp(int length) { return (length + T - 1) / T; }

__global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float left[T][T];
  __shared__ float right[T][T];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int i = blockIdx.y * T + ty;  // row of c
  const int j = blockIdx.x * T + tx;  // column of c
  const int rounds = (k + T - 1) / T;

  float acc = 0.0f;
  for (int round = 0; round < rounds; ++round) {
    const int ka = round * T + tx;
    const int kb = round * T + ty;

    if (i < m && ka < k)
      left[ty][tx] = a[i * k + ka];
    else
      left[ty][tx] = 0.0f;

    if (kb < k && j < n)
      right[ty][tx] = b[kb * n + j];
    else
      right[ty][tx] = 0.0f;

    __syncthreads();
    for (int s = 0; s < T; ++s) acc = fmaf(left[ty][s], right[s][tx], acc);
    __syncthreads();
  }

  if (i >= m || j >= n) return;
  c[i * n + j] = acc;
}

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0 || k == 0) return;
  multiply<<<dim3(roundUp(n), roundUp(m)), dim3(T, T)>>>(a, b, c, m, n, k);
}
