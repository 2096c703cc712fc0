// CAUSE: The kernel expects blocks that are 32 threads wide and 8 high, but the block is made 8 wide and 32 high.
// LINES: 40
// REPAIR: line 40: `dim3 block(height, width);` -> `dim3 block(width, height);`
// SYMPTOM: Only the first 8 columns of each tile are loaded, rows past the 32nd are stored past the end of the buffer, and the store reads slots that nobody wrote; most of out is wrong or never written.
#include "transpose.h"

template <int Width, int Height>
__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float buffer[Width][Width + 1];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;

  float value[Width / Height];
#pragma unroll
  for (int k = 0; k < Width / Height; ++k) {
    const int row = blockIdx.y * Width + ty + k * Height;
    const int column = blockIdx.x * Width + tx;
    value[k] = (row < rows && column < columns) ? in[row * columns + column] : 0.0f;
  }
#pragma unroll
  for (int k = 0; k < Width / Height; ++k) buffer[ty + k * Height][tx] = value[k];

  __syncthreads();

#pragma unroll
  for (int k = 0; k < Width / Height; ++k) {
    const int row = blockIdx.x * Width + ty + k * Height;
    const int column = blockIdx.y * Width + tx;
    if (row < columns && column < rows) out[row * rows + column] = buffer[tx][ty + k * Height];
  }
}

void transpose(const float* in, float* out, int rows, int columns) {
  constexpr int width = 32;
  constexpr int height = 8;
  if (rows < 1 || columns < 1) return;
  dim3 grid;
  grid.x = (columns + width - 1) / width;
  grid.y = (rows + width - 1) / width;
  dim3 block(height, width);
  transpose_kernel<width, height><<<grid, block>>>(in, out, rows, columns);
}
