// CAUSE: The tile is read the way it was written, row by row. Lane and k have to change places to read a column.
// LINES: 30
// REPAIR: dst[(x0 + k) * height + y0 + lane] = buffer[lane * (DIM + 1) + k];
// SYMPTOM: The tiles are in the right place, but inside each tile nothing is transposed.

// 256 threads per tile in one dimension, four elements each.
#include "transpose.h"

#define DIM 32
#define LINES 8

static __global__ void flip(const float* __restrict__ src, float* __restrict__ dst, int height,
                            int width) {
  __shared__ float buffer[DIM * (DIM + 1)];
  int lane = threadIdx.x % DIM;
  int line = threadIdx.x / DIM;
  int x0 = blockIdx.x * DIM;
  int y0 = blockIdx.y * DIM;

  for (int k = line; k < DIM; k += LINES) {
    if (x0 + lane < width && y0 + k < height) {
      buffer[k * (DIM + 1) + lane] = src[(y0 + k) * width + x0 + lane];
    }
  }

  __syncthreads();

  for (int k = line; k < DIM; k += LINES) {
    if (y0 + lane < height && x0 + k < width) {
      dst[(x0 + k) * height + y0 + lane] = buffer[k * (DIM + 1) + lane];
    }
  }
}

static int tiles(int length) { return (length + DIM - 1) / DIM; }

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows > 0 && columns > 0) {
    dim3 grid(tiles(columns), tiles(rows));
    flip<<<grid, DIM * LINES>>>(in, out, rows, columns);
  }
}
