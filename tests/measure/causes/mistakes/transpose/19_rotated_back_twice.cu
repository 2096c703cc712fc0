// CAUSE: element (r, c) is stored in slot (c + r) mod 32 of row r, but looked for in slot (c - r) mod 32
// LINES: 30
// REPAIR: look in slot (ty + tx) % T
// GOOD HINT: In which slot of row 1 did you store column 5, and where do you look for it?
// SYMPTOM: wrong elements, each from another column of the same tile

#include "transpose.h"

namespace {

constexpr int T = 32;

__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[T][T];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;

  int col = blockIdx.x * T + tx;
  int row = blockIdx.y * T + ty;
  if (row < rows && col < columns) {
    tile[ty][(tx + ty) % T] = in[row * columns + col];
  }

  __syncthreads();

  // now x runs along a row of out
  int out_col = blockIdx.y * T + tx;
  int out_row = blockIdx.x * T + ty;
  if (out_row < columns && out_col < rows) {
    out[out_row * rows + out_col] = tile[tx][(ty - tx + T) % T];
  }
}

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  dim3 threads(T, T);
  dim3 grid((columns + T - 1) / T, (rows + T - 1) / T);
  transpose_kernel<<<grid, threads>>>(in, out, rows, columns);
}
