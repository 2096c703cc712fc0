// CAUSE: The tile is swizzled: element (r, c) is stored in slot c ^ r of row r. When it is read, row and column are exchanged, so the row is the thread's x and the slot has to be column ^ x; the code uses the key y of the store, and finds a different element.
// LINES: 35
// REPAIR: line 35: `if (c0 + ly < columns) out[(c0 + ly) * rows + r0 + lx] = tile[lx][slot(ly, threadIdx.y)];` -> `if (c0 + ly < columns) out[(c0 + ly) * rows + r0 + lx] = tile[lx][slot(ly, lx)];`
// SYMPTOM: Elements inside each 32 x 32 tile are mixed up; only those on some diagonals are right.

#include "transpose.h"

namespace {

constexpr int T = 32;     // edge of a tile
constexpr int ROWS = 8;   // rows of threads

// Where row r of the tile keeps its column c: no two rows agree, so no bank conflicts.
__device__ __forceinline__ int slot(int c, int r) { return c ^ r; }

__global__ void transposeSwizzled(const float* __restrict__ in, float* __restrict__ out, int rows,
                                  int columns) {
  __shared__ float tile[T][T];
  const int r0 = blockIdx.y * T;
  const int c0 = blockIdx.x * T;
  const int lx = threadIdx.x;

  if (c0 + lx < columns) {
#pragma unroll
    for (int ly = threadIdx.y; ly < T; ly += ROWS) {
      if (r0 + ly < rows) tile[ly][slot(lx, ly)] = in[(r0 + ly) * columns + c0 + lx];
    }
  }

  __syncthreads();

  if (r0 + lx < rows) {
#pragma unroll
    for (int ly = threadIdx.y; ly < T; ly += ROWS) {
      if (c0 + ly < columns) out[(c0 + ly) * rows + r0 + lx] = tile[lx][slot(ly, threadIdx.y)];
    }
  }
}

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows * columns == 0) return;
  dim3 blocks((columns - 1) / T + 1, (rows - 1) / T + 1);
  transposeSwizzled<<<blocks, dim3(T, ROWS)>>>(in, out, rows, columns);
}
