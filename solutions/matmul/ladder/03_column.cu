// Step 3: eight results of a column per thread. A block of 32 x 8 threads makes 64 x 32 elements
// of `c`. What a thread reads from b's tile serves all eight of its sums.
//
// That makes 9 loads from shared memory for 8 multiply-adds, where the tile of the lesson takes 16.
// The loads from a's tile are the same for all lanes of a warp, and four of them, side by side, can
// be one load. The taller tile halves the loads of `b` from global memory, too.
// On an H200 this is 2.2 times as fast as step 2.

#include "matmul.h"

namespace {

constexpr int width = 32;            // columns of a block's part of c
constexpr int height = 64;           // and its rows
constexpr int depth = 32;            // products per round
constexpr int each = 8;              // results per thread
constexpr int rows = height / each;  // rows of threads

__global__ void __launch_bounds__(width* rows)
    matmul_kernel(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                  int m, int n, int k) {
  __shared__ float a_tile[height][depth], b_tile[depth][width];
  const int x = threadIdx.x, y = threadIdx.y;
  const int first_row = blockIdx.y * height;
  const int column = blockIdx.x * width + x;
  float sum[each] = {};
  for (int first = 0; first < k; first += depth) {
#pragma unroll
    for (int r = y; r < height; r += rows) {
      const bool is_inside = first_row + r < m && first + x < k;
      a_tile[r][x] = is_inside ? a[(first_row + r) * k + first + x] : 0;
    }
#pragma unroll
    for (int i = y; i < depth; i += rows) {
      b_tile[i][x] = first + i < k && column < n ? b[(first + i) * n + column] : 0;
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < depth; ++i) {
      const float right = b_tile[i][x];
#pragma unroll
      for (int r = 0; r < each; ++r) sum[r] += a_tile[y + r * rows][i] * right;
    }
    __syncthreads();
  }
#pragma unroll
  for (int r = 0; r < each; ++r) {
    const int row = first_row + y + r * rows;
    if (row < m && column < n) c[row * n + column] = sum[r];
  }
}

int pieces(int elements, int piece) { return (elements + piece - 1) / piece; }

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const dim3 grid(pieces(n, width), pieces(m, height));
  matmul_kernel<<<grid, dim3(width, rows)>>>(a, b, c, m, n, k);
}
