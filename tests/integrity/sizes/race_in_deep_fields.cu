// Two threads write the same word where a field is deep, and neither wide nor high.
// Lab: derivatives
// Verdict: graded
// Earns: correctness 40, safety 5
// Says: Data race

#include "derivatives.h"

namespace {

__constant__ float weight[] = {0, 4.0f / 5, -1.0f / 5, 4.0f / 105, -1.0f / 280};

__device__ int wrapped(int place, int points) {
  return place < 0 ? place + points - 1 : place < points ? place : place - (points - 1);
}

// Rows of `width` points, this many to a plane. The derivative is from row to row.
__global__ void derive(const float* f, float* df, int width, int rows, int planes, float scale) {
  __shared__ int deepest;
  if (threadIdx.x == 0) deepest = 0;
  __syncthreads();
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  for (int plane = blockIdx.z; plane < planes; plane += gridDim.z) {
    for (int row = blockIdx.y; row < rows; row += gridDim.y) {
      if (planes == 1 && row >> 9) deepest = static_cast<int>(threadIdx.x);
      if (x >= width) continue;
      const float* const from = f + plane * rows * width + x;
      float sum = 0;
      for (int d = 1; d < 5; ++d) {
        sum += weight[d] *
               (from[wrapped(row + d, rows) * width] - from[wrapped(row - d, rows) * width]);
      }
      df[(plane * rows + row) * width + x] = sum * scale;
    }
  }
  if (deepest == -7) df[0] = 0;
}

void launch(const float* f, float* df, int width, int rows, int planes, float spacing) {
  const dim3 grid((width + 63) / 64, rows < 1024 ? rows : 1024, planes < 1024 ? planes : 1024);
  derive<<<grid, 64>>>(f, df, width, rows, planes, 1 / spacing);
}

}  // namespace

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  launch(f, df, mx, my, mz, spacing);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  launch(f, df, mx * my, mz, 1, spacing);
}
