// CAUSE: `auto sum = 0` makes sum an int, so the sum is cut to a whole number after each product.
// LINES: 21
// REPAIR: line 21: `auto sum = 0;` -> `auto sum = 0.0f;`
// GOOD HINT: Of which type is your sum? What is left of 0.5 when it is stored in it?
// SYMPTOM: Right for matrices of small whole numbers, sums cut to whole numbers otherwise; 0 for small elements; nonsense for infinities and NaNs.
#include "matmul.h"

namespace {

constexpr int tile_size = 32;

__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float a_tile[tile_size][tile_size];
  __shared__ float b_tile[tile_size][tile_size];

  const auto x = static_cast<int>(threadIdx.x);
  const auto y = static_cast<int>(threadIdx.y);
  const auto row = static_cast<int>(blockIdx.y) * tile_size + y;
  const auto column = static_cast<int>(blockIdx.x) * tile_size + x;

  auto sum = 0;
  for (auto first = 0; first < k; first += tile_size) {
    // load both tiles, with zeros past the end
    const auto a_column = first + x;
    const auto b_row = first + y;
    a_tile[y][x] = row < m && a_column < k ? a[row * k + a_column] : 0.0f;
    b_tile[y][x] = b_row < k && column < n ? b[b_row * n + column] : 0.0f;
    __syncthreads();

    for (auto i = 0; i < tile_size; ++i) {
      sum += a_tile[y][i] * b_tile[i][x];
    }
    __syncthreads();
  }

  if (row < m && column < n) {
    c[row * n + column] = sum;
  }
}

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) {
    return;
  }
  const dim3 threads(tile_size, tile_size);
  const dim3 blocks((n + tile_size - 1) / tile_size, (m + tile_size - 1) / tile_size);
  matmul_kernel<<<blocks, threads>>>(a, b, c, m, n, k);
}
