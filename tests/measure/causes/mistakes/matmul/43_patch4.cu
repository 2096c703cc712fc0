// CAUSE: A thread computes rows ty, ty + 16, ty + 32 and ty + 48 of the block's part of c, but stores them as rows 4 * ty to 4 * ty + 3.
// LINES: 45
// REPAIR: line 45: `const int r = row0 + ty * each + p;` -> `const int r = row0 + ty + p * side;`
// SYMPTOM: The rows of c are permuted within each group of 64; rows that get no element of their own are missing where m is no multiple of 64.
#include "matmul.h"

namespace {

constexpr int edge = 64;                // rows and columns of c per block
constexpr int depth = 16;               // columns of a and rows of b per round
constexpr int side = 16;                // threads per block in x and in y
constexpr int each = edge / side;       // results of a thread in x and in y
constexpr int threads = side * side;

__global__ void patch_kernel(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float left[depth][edge + 1];  // a's tile, transposed
  __shared__ float right[depth][edge];
  const int tx = threadIdx.x, ty = threadIdx.y, id = ty * side + tx;
  const int row0 = blockIdx.y * edge, column0 = blockIdx.x * edge;

  float acc[each][each] = {};

  for (int k0 = 0; k0 < k; k0 += depth) {
    for (int e = id; e < edge * depth; e += threads) {
      const int r = row0 + e / depth, i = k0 + e % depth;
      left[e % depth][e / depth] = r < m && i < k ? a[r * k + i] : 0.0f;
    }
    for (int e = id; e < edge * depth; e += threads) {
      const int i = k0 + e / edge, q = column0 + e % edge;
      right[e / edge][e % edge] = i < k && q < n ? b[i * n + q] : 0.0f;
    }
    __syncthreads();

    for (int i = 0; i < depth; ++i) {
      float u[each], v[each];
      for (int p = 0; p < each; ++p) u[p] = left[i][ty + p * side];
      for (int p = 0; p < each; ++p) v[p] = right[i][tx + p * side];
      for (int p = 0; p < each; ++p)
        for (int q = 0; q < each; ++q) acc[p][q] += u[p] * v[q];
    }
    __syncthreads();
  }

  for (int p = 0; p < each; ++p) {
    const int r = row0 + ty * each + p;
    for (int q = 0; q < each; ++q) {
      const int s = column0 + tx + q * side;
      if (r < m && s < n) c[r * n + s] = acc[p][q];
    }
  }
}

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const dim3 grid((n + edge - 1) / edge, (m + edge - 1) / edge), block(side, side);
  patch_kernel<<<grid, block>>>(a, b, c, m, n, k);
}
