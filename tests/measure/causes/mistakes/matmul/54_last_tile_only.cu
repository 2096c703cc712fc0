// CAUSE: The sum over a pair of tiles replaces what the tiles before have contributed, instead of being added to it.
// LINES: 38
// REPAIR: line 38: `total = partial;` -> `total += partial;`
// SYMPTOM: Right for k <= 32; for larger k each result is only what the last pair of tiles contributes.
#include "matmul.h"

namespace {

constexpr int TS = 32;

struct Tiles {
  float a[TS][TS];
  float b[TS][TS];
};

__device__ void load(Tiles& tiles, const float* a, const float* b, int m, int n, int k, int row,
                     int column, int first) {
  const int x = threadIdx.x, y = threadIdx.y;
  tiles.a[y][x] = 0;
  tiles.b[y][x] = 0;
  if (row < m && first + x < k) tiles.a[y][x] = a[row * k + (first + x)];
  if (first + y < k && column < n) tiles.b[y][x] = b[(first + y) * n + column];
}

__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ Tiles tiles;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  float total = 0;

  for (int first = 0; first < k; first += TS) {
    load(tiles, a, b, m, n, k, row, column, first);
    __syncthreads();
    float partial = 0;
    for (int i = 0; i < TS; ++i) {
      partial += tiles.a[threadIdx.y][i] * tiles.b[i][threadIdx.x];
    }
    total = partial;
    __syncthreads();
  }

  if (row < m && column < n) c[row * n + column] = total;
}

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  const int across = (n + TS - 1) / TS;
  const int down = (m + TS - 1) / TS;
  if (across == 0 || down == 0) return;
  matmul_kernel<<<dim3(across, down), dim3(TS, TS)>>>(a, b, c, m, n, k);
}
