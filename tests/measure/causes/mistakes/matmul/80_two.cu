// CAUSE: (1) The barrier between loading the tiles and using them is missing. (2) For k = 0 nothing is launched, though c has to be filled with zeros.
// LINES: 32 34 46
// REPAIR: (1) __syncthreads(); after the two tiles are loaded (2) if (m > 0 && n > 0) {
// SYMPTOM: (1) Data race: threads read slots that others have not filled yet. (2) c keeps its old contents for k = 0.

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

  int steps = CEIL(K, T);
  for (int s = 0; s < steps; s++) {
    tileA[ty * T + tx] = element(A, r, s * T + tx, M, K);
    tileB[ty * T + tx] = element(B, s * T + ty, c, K, N);

    for (int i = 0; i < T; i++) {
      acc += tileA[ty * T + i] * tileB[i * T + tx];
    }

    __syncthreads();
  }

  if (r >= M || c >= N) return;
  C[r * N + c] = acc;
}

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m > 0 && n > 0 && k > 0) {
    dim3 grid(CEIL(n, T), CEIL(m, T));
    product<<<grid, T * T>>>(a, b, c, m, n, k);
  }
}
