// CAUSE: The next tile of `b` is stored into the buffer that is being used (now) instead of the other one, as a's is.
// LINES: 33
// REPAIR: line 33: `right[now][y][x] = next_right;` -> `right[1 - now][y][x] = next_right;`
// SYMPTOM: A data race on right[], and for k > 32 every second tile of `b` is missing: slots that nobody wrote, or old ones, are multiplied.
#include "matmul.h"

namespace {

constexpr int edge = 32;

__global__ void matmul_kernel(const float* __restrict__ a, const float* __restrict__ b,
                              float* __restrict__ c, int m, int n, int k) {
  __shared__ float left[2][edge][edge], right[2][edge][edge];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * edge + y, column = blockIdx.x * edge + x;
  const bool has_row = row < m, has_column = column < n;

  int now = 0;
  left[now][y][x] = has_row && x < k ? a[row * k + x] : 0;
  right[now][y][x] = has_column && y < k ? b[y * n + column] : 0;
  __syncthreads();

  float sum = 0;
  for (int first = 0; first < k; first += edge) {
    // Load ahead into registers while the tiles are multiplied.
    const int i = first + edge + x, j = first + edge + y;
    const float next_left = has_row && i < k ? a[row * k + i] : 0;
    const float next_right = has_column && j < k ? b[j * n + column] : 0;

    for (int q = 0; q < edge; ++q) sum += left[now][y][q] * right[now][q][x];

    left[1 - now][y][x] = next_left;
    right[now][y][x] = next_right;
    __syncthreads();  // one barrier is enough with two pairs of tiles
    now = 1 - now;
  }

  if (has_row && has_column) c[row * n + column] = sum;
}

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  const dim3 grid((n + edge - 1) / edge, (m + edge - 1) / edge);
  if (grid.x > 0 && grid.y > 0) matmul_kernel<<<grid, dim3(edge, edge)>>>(a, b, c, m, n, k);
}
