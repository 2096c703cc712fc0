// CAUSE: Each thread loads four rows, but the guard tests only the first of them. At the lower edge of the matrix the other three can be past the end, and are loaded all the same.
// LINES: 28
// REPAIR: line 28: `tile[threadIdx.y + k][threadIdx.x] = *from;` -> `if (inside(shape, r + k, c)) tile[threadIdx.y + k][threadIdx.x] = *from;`
// SYMPTOM: Reads outside of `in`, if the number of rows is not a multiple of 32 (nothing wrong in the result).

#include "transpose.h"

namespace {

struct Matrix {
  int rows, columns;
};

constexpr int edge = 32;
constexpr int step = 8;

__device__ bool inside(Matrix m, int r, int c) { return r < m.rows && c < m.columns; }

__global__ void kernel(const float* in, float* out, Matrix shape) {
  __shared__ float tile[edge][edge + 1];
  const Matrix turned = {shape.columns, shape.rows};

  int c = blockIdx.x * edge + threadIdx.x;
  int r = blockIdx.y * edge + threadIdx.y;
  if (inside(shape, r, c)) {
    const float* from = in + r * shape.columns + c;
    for (int k = 0; k < edge; k += step) {
      tile[threadIdx.y + k][threadIdx.x] = *from;
      from += step * shape.columns;
    }
  }
  __syncthreads();

  c = blockIdx.y * edge + threadIdx.x;
  r = blockIdx.x * edge + threadIdx.y;
  for (int k = 0; k < edge; k += step) {
    if (inside(turned, r + k, c)) {
      out[(r + k) * turned.columns + c] = tile[threadIdx.x][threadIdx.y + k];
    }
  }
}

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  const Matrix shape = {rows, columns};
  const int across = (columns + edge - 1) / edge;
  const int down = (rows + edge - 1) / edge;
  if (across == 0 || down == 0) return;
  kernel<<<dim3(across, down), dim3(edge, step)>>>(in, out, shape);
}
