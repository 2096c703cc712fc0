// CAUSE: two mistakes: the store asks whether the loaded element exists, not the stored one; and the spare is a row, which moves no column to another bank
// LINES: 14, 29
// REPAIR: out_row < columns && out_col < rows; sm[T][T + 1]
// GOOD HINT: Which element does this thread store, and is it the one that it loaded? How long is a row of your tile?
// SYMPTOM: elements missing at the edges, and bank conflicts

#include "transpose.h"

namespace {

constexpr int T = 32;

__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float sm[T + 1][T];
  const int i = threadIdx.x;
  const int j = threadIdx.y;

  int col = blockIdx.x * T + i;
  int row = blockIdx.y * T + j;
  if (row < rows && col < columns) {
    sm[j][i] = in[row * columns + col];
  }

  __syncthreads();

  // now x runs along a row of out
  int out_col = blockIdx.y * T + i;
  int out_row = blockIdx.x * T + j;
  if (row < rows && col < columns) {
    out[out_row * rows + out_col] = sm[i][j];
  }
}

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  dim3 threads(T, T);
  dim3 grid((columns + T - 1) / T, (rows + T - 1) / T);
  transpose_kernel<<<grid, threads>>>(in, out, rows, columns);
}
