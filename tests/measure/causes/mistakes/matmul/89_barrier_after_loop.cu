// CAUSE: The second barrier stands behind the loop over the tiles instead of at its end, so fast threads refill both tiles while slow ones still read them.
// LINES: 29 30
// REPAIR: before line 29: add `__syncthreads();`; delete line 30: `__syncthreads();`
// SYMPTOM: Data races between the products of one round and the loads of the next; wrong sums for k > 32.

#include "matmul.h"

namespace {

template <int edge>
__device__ void fill(float (&tile)[edge][edge], const float* from, int row, int column, int rows,
                     int columns) {
  const bool inside = row < rows && column < columns;
  tile[threadIdx.y][threadIdx.x] = inside ? from[row * columns + column] : 0.0f;
}

template <int edge>
__global__ void product(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float left[edge][edge], right[edge][edge];
  const int row = blockIdx.y * edge + threadIdx.y;
  const int column = blockIdx.x * edge + threadIdx.x;
  float sum = 0;
  for (int first = 0; first < k; first += edge) {
    fill(left, a, row, first + threadIdx.x, m, k);
    fill(right, b, first + threadIdx.y, column, k, n);
    __syncthreads();
    const int count = min(edge, k - first);
    for (int i = 0; i < count; ++i) sum += left[threadIdx.y][i] * right[i][threadIdx.x];
  }
  __syncthreads();
  if (row < m && column < n) c[row * n + column] = sum;
}

int ceil_div(int x, int y) { return (x + y - 1) / y; }

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  constexpr int edge = 32;
  if (m <= 0 || n <= 0) return;
  product<edge><<<dim3(ceil_div(n, edge), ceil_div(m, edge)), dim3(edge, edge)>>>(a, b, c, m, n, k);
}
