// CAUSE: (1) The rows of the buffer are DIM + 1 apart, but it has room for DIM * DIM elements only. (2) The grid has its x and y directions swapped: blockIdx.x runs along the columns of in.
// LINES: 14 39
// REPAIR: (1) __shared__ float buffer[DIM * (DIM + 1)]; (2) dim3 grid(tiles(columns), tiles(rows));
// SYMPTOM: (1) The last rows of a tile lie past the end of the buffer. (2) For matrices that are not square some tiles are left out.

// 256 threads per tile in one dimension, four elements each.
#include "transpose.h"

#define DIM 32
#define LINES 8

static __global__ void flip(const float* __restrict__ src, float* __restrict__ dst, int height,
                            int width) {
  __shared__ float buffer[DIM * DIM];
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
      dst[(x0 + k) * height + y0 + lane] = buffer[lane * (DIM + 1) + k];
    }
  }
}

static int tiles(int length) { return (length + DIM - 1) / DIM; }

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows > 0 && columns > 0) {
    dim3 grid(tiles(rows), tiles(columns));
    flip<<<grid, DIM * LINES>>>(in, out, rows, columns);
  }
}
