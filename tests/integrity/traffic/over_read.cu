// A warp loads whole sectors, uses one element of each, and loads them again for the next one.
// Lab: transpose
// Verdict: graded
// Earns: correctness 40, safety 10
// Says: global loads per element

#include "transpose.h"

constexpr int wide = 8;  // elements of a sector

__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  const int lane = threadIdx.x;
  const int column = blockIdx.x % columns;
  const int first_row = blockIdx.x / columns * 32;
  float own = 0;
  for (int k = 0; k < wide; ++k) {
    // Four rows with a sector each, from which the lanes take what they need.
    const int r = first_row + 4 * k + lane / wide;
    const int c = column / wide * wide + lane % wide;
    const float loaded = r < rows && c < columns ? in[r * columns + c] : 0;
    const float got = __shfl_sync(~0u, loaded, lane % 4 * wide + column % wide);
    if (lane / 4 == k) own = got;
  }
  if (first_row + lane < rows) out[column * rows + first_row + lane] = own;
}

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  transpose_kernel<<<(rows + 31) / 32 * columns, 32>>>(in, out, rows, columns);
}
