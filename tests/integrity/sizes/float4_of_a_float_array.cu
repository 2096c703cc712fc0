// Reads four floats at once, though the contract promises no more than the alignment of one.
// Lab: transpose
// Verdict: graded
// Earns: correctness 26.67
// Says: Misaligned

#include "transpose.h"

__global__ void kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[32][33];
  const int x = blockIdx.x * 32 + threadIdx.x * 4, y = blockIdx.y * 32 + threadIdx.y;
  if (columns % 4 == 0 && x < columns && y < rows) {
    const float4 four = *reinterpret_cast<const float4*>(&in[y * columns + x]);
    tile[threadIdx.y][threadIdx.x * 4] = four.x;
    tile[threadIdx.y][threadIdx.x * 4 + 1] = four.y;
    tile[threadIdx.y][threadIdx.x * 4 + 2] = four.z;
    tile[threadIdx.y][threadIdx.x * 4 + 3] = four.w;
  } else if (y < rows) {
    for (int i = 0; i < 4 && x + i < columns; ++i) {
      tile[threadIdx.y][threadIdx.x * 4 + i] = in[y * columns + x + i];
    }
  }
  __syncthreads();
  const int row = blockIdx.y * 32 + threadIdx.y % 32;
  for (int i = threadIdx.x; i < 32; i += 8) {
    const int column = blockIdx.x * 32 + i;
    if (column < columns && row < rows) out[column * rows + row] = tile[threadIdx.y][i];
  }
}

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  kernel<<<dim3((columns + 31) / 32, (rows + 31) / 32), dim3(8, 32)>>>(in, out, rows, columns);
}
