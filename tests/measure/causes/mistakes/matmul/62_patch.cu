// CAUSE: The patch of a thread is read from four neighboring columns of b's tile, but its results are stored to columns that are 16 apart.
// LINES: 36
// REPAIR: v[p] = bs[i][tx + p * side];
// SYMPTOM: The right numbers in the wrong columns of c (nearly all columns of each tile of 64), and bank conflicts.

#include "matmul.h"

namespace {

constexpr int side = 16;          // threads of a block in either direction
constexpr int per = 4;            // results of a thread in either direction
constexpr int tile = side * per;  // rows and columns of c that a block makes
constexpr int depth = 16;         // columns of a and rows of b in a round

__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float as[tile][depth];
  __shared__ float bs[depth][tile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int id = ty * side + tx;
  const int top = blockIdx.y * tile, left = blockIdx.x * tile;

  float acc[per][per] = {};
  for (int first = 0; first < k; first += depth) {
    for (int e = id; e < tile * depth; e += side * side) {
      const int r = e / depth, q = e % depth;
      as[r][q] = top + r < m && first + q < k ? a[(top + r) * k + first + q] : 0.0f;
      const int s = e / tile, w = e % tile;
      bs[s][w] = first + s < k && left + w < n ? b[(first + s) * n + left + w] : 0.0f;
    }
    __syncthreads();

    for (int i = 0; i < depth; ++i) {
      float u[per], v[per];
      for (int p = 0; p < per; ++p) {
        u[p] = as[ty + p * side][i];
        v[p] = bs[i][tx * per + p];
      }
      for (int p = 0; p < per; ++p) {
        for (int q = 0; q < per; ++q) acc[p][q] += u[p] * v[q];
      }
    }
    __syncthreads();
  }

  for (int p = 0; p < per; ++p) {
    const int row = top + ty + p * side;
    for (int q = 0; q < per; ++q) {
      const int column = left + tx + q * side;
      if (row < m && column < n) c[row * n + column] = acc[p][q];
    }
  }
}

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const dim3 grid((n + tile - 1) / tile, (m + tile - 1) / tile);
  matmul_kernel<<<grid, dim3(side, side)>>>(a, b, c, m, n, k);
}
