// CAUSE: The number of tiles along k is rounded down, so the last tile, which is not full, is left out.
// LINES: 29
// REPAIR: int steps = CEIL(K, T);
// SYMPTOM: Sums are incomplete if k is no multiple of 16, and 0 if k is less than 16.

// Tiles of 16 x 16 with threads numbered in one dimension.
#include "matmul.h"

#define T 16
#define CEIL(a, b) (((a) + (b) - 1) / (b))

__device__ static float element(const float* matrix, int r, int c, int rows, int cols) {
  if (r < rows && c < cols) {
    return matrix[r * cols + c];
  }
  return 0;
}

static __global__ void product(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float tileA[T * T];
  __shared__ float tileB[T * T];

  int ty = threadIdx.x / T;
  int tx = threadIdx.x % T;
  int r = blockIdx.y * T + ty;
  int c = blockIdx.x * T + tx;
  float acc = 0;

  int steps = K / T;
  for (int s = 0; s < steps; s++) {
    tileA[ty * T + tx] = element(A, r, s * T + tx, M, K);
    tileB[ty * T + tx] = element(B, s * T + ty, c, K, N);

    __syncthreads();

    for (int i = 0; i < T; i++) {
      acc += tileA[ty * T + i] * tileB[i * T + tx];
    }

    __syncthreads();
  }

  if (r >= M || c >= N) return;
  C[r * N + c] = acc;
}

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m > 0 && n > 0) {
    dim3 grid(CEIL(n, T), CEIL(m, T));
    product<<<grid, T * T>>>(a, b, c, m, n, k);
  }
}
