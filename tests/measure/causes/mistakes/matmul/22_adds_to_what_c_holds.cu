// CAUSE: each tile's share is added to c in global memory, and nobody sets c to 0 first
// LINES: 29
// REPAIR: store 0 in c (by the same thread) before the loop
// GOOD HINT: What does c hold before the first tile is added to it?
// SYMPTOM: the checker reports a read of c that nobody wrote; wrong results

#include "matmul.h"

namespace {

const int B = 32;

__device__ float at(const float* matrix, int height, int width, int r, int c) {
  if (r < height && c < width) return matrix[r * width + c];
  return 0;
}

__device__ float dot(const float (*rows)[B], const float (*columns)[B]) {
  float d = 0;
  for (int i = 0; i < B; ++i) d += rows[threadIdx.y][i] * columns[i][threadIdx.x];
  return d;
}

__global__ void product(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float ta[B][B];
  __shared__ float tb[B][B];
  const int r = blockIdx.y * B + threadIdx.y;
  const int s = blockIdx.x * B + threadIdx.x;
  const bool mine = r < m && s < n;
  for (int from = 0; from < k; from += B) {
    ta[threadIdx.y][threadIdx.x] = at(a, m, k, r, from + threadIdx.x);
    tb[threadIdx.y][threadIdx.x] = at(b, k, n, from + threadIdx.y, s);
    __syncthreads();
    if (mine) c[r * n + s] += dot(ta, tb);
    __syncthreads();
  }
}

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const dim3 blocks((n + B - 1) / B, (m + B - 1) / B);
  product<<<blocks, dim3(B, B)>>>(a, b, c, m, n, k);
}
