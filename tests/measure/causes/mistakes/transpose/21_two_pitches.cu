// CAUSE: a row of the tile is 33 elements long for the store into the tile, and 32 for the load from it
// LINES: 30
// REPAIR: threadIdx.x * pitch + j
// GOOD HINT: Where in the array does row 1 of the tile begin when you fill it, and where when you read it?
// SYMPTOM: only the first column of each tile's result is right

#include "transpose.h"

static const int side = 32;
static const int pitch = side + 1;
static const int strip = 8;

__global__ void tr(const float* __restrict__ src, float* __restrict__ dst, int h, int w) {
  __shared__ float t[side * pitch];

  int col = blockIdx.x * side + threadIdx.x;
  int top = blockIdx.y * side;
  if (col < w) {
    for (int j = threadIdx.y; j < side; j += strip) {
      if (top + j < h) t[j * pitch + threadIdx.x] = src[(top + j) * w + col];
    }
  }

  __syncthreads();

  int dcol = blockIdx.y * side + threadIdx.x;  // column in dst
  int dtop = blockIdx.x * side;
  if (dcol < h) {
    for (int j = threadIdx.y; j < side; j += strip) {
      if (dtop + j < w) dst[(dtop + j) * h + dcol] = t[threadIdx.x * side + j];
    }
  }
}

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows > 0 && columns > 0) {
    dim3 g((columns + side - 1) / side, (rows + side - 1) / side);
    dim3 b(side, strip);
    tr<<<g, b>>>(in, out, rows, columns);
  }
}
