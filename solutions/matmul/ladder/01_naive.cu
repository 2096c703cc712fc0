// Step 1, the baseline: one thread per element of `c`. It reads a row of `a` and a column of `b`
// from global memory.
//
// A warp has 32 neighbors in a row of `c`. For each i they read the same element of `a`, one
// sector, and 32 neighbors in a row of `b`, 4 sectors. Nothing of what is moved is wasted, and
// nearly all of it is in the caches: for 4096 x 4096 elements the threads ask for 550 GB, while the
// two matrices have 134 MB. But each multiply-add takes two load instructions.
// A multiprocessor serves one load of a warp per clock, and could issue four multiply-adds in that
// time. So two loads per multiply-add make 1/8 of the peak at most. On an H200 it is 9% for 4096 x
// 4096 elements, probably because some of the loads go on to L2.
//
// Misses: memory

#include "matmul.h"

namespace {

constexpr int width = 32;
constexpr int height = 8;

__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int k) {
  const int column = blockIdx.x * width + threadIdx.x;
  const int row = blockIdx.y * height + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + column];
  c[row * n + column] = sum;
}

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const dim3 grid((n + width - 1) / width, (m + height - 1) / height);
  matmul_kernel<<<grid, dim3(width, height)>>>(a, b, c, m, n, k);
}
