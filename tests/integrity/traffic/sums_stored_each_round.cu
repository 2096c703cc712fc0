// The tiles come in once, but after each of them all sums go out and come back.
// Lab: matmul
// Verdict: graded
// Earns: correctness 40, safety 10, memory 10
// Says: global stores per element
// Needs: emulator

#include "matmul.h"

namespace {

constexpr int side = 32;

__global__ void add_tiles(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float left[side][side], right[side][side];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * side + y, column = blockIdx.x * side + x;
  float sum = 0;
  for (int first = 0; first < k; first += side) {
    left[y][x] = row < m && first + x < k ? a[row * k + first + x] : 0;
    right[y][x] = first + y < k && column < n ? b[(first + y) * n + column] : 0;
    __syncthreads();
    for (int i = 0; i < side; ++i) sum += left[y][i] * right[i][x];
    if (row < m && column < n) c[row * n + column] = sum;
    __syncthreads();
  }
  if (k == 0 && row < m && column < n) c[row * n + column] = 0;
}

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const dim3 grid((n + side - 1) / side, (m + side - 1) / side);
  add_tiles<<<grid, dim3(side, side)>>>(a, b, c, m, n, k);
}
