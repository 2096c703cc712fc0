// CAUSE: The flat tile is written with a pitch of 33 words per row (one spare word against bank conflicts), but read with a pitch of 32, so all rows but row 0 are read from the wrong place.
// LINES: 34
// REPAIR: line 34: `if (row < columns && col < rows) out[row * rows + col] = s[lane * DIM + r];` -> `if (row < columns && col < rows) out[row * rows + col] = s[lane * PITCH + r];`
// SYMPTOM: Wrong values everywhere except in the first column of `in`'s tiles; slots may be read that nobody has filled.

#include "transpose.h"

namespace {

const int DIM = 32;
const int PITCH = DIM + 1;
const int THREADS = 256;

__global__ void transpose_flat(const float* in, float* out, int rows, int columns) {
  __shared__ float s[DIM * PITCH];

  // upper left corner of this block's part of in
  int top = blockIdx.y * DIM;
  int left = blockIdx.x * DIM;

  // one-dimensional block: warp w starts with row w
  int lane = threadIdx.x & 31;
  int warp = threadIdx.x >> 5;

  for (int r = warp; r < DIM; r += THREADS / 32) {
    int row = top + r;
    int col = left + lane;
    if (row < rows && col < columns) s[r * PITCH + lane] = in[row * columns + col];
  }
  __syncthreads();
  for (int r = warp; r < DIM; r += THREADS / 32) {
    int row = left + r;    // of out
    int col = top + lane;  // of out
    if (row < columns && col < rows) out[row * rows + col] = s[lane * DIM + r];
  }
}

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows > 0 && columns > 0) {
    dim3 grid((columns + DIM - 1) / DIM, (rows + DIM - 1) / DIM);
    transpose_flat<<<grid, THREADS>>>(in, out, rows, columns);
  }
}
