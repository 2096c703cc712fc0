// CAUSE: The tile is transposed within itself, but it is stored at its old place: blockIdx.x and blockIdx.y have to change roles for the store.
// LINES: 22 23
// REPAIR: x = blockIdx.y * edge + lx; and y = blockIdx.x * edge + ly;
// SYMPTOM: Right for matrices of a single tile; for larger ones all tiles off the diagonal are in the wrong place, and in rectangles some elements are never written.
#include "transpose.h"

namespace {

constexpr int edge = 32;

// 1024 threads in a row, which form a square of 32 x 32.
__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float square[edge][edge + 1];
  const int lx = threadIdx.x % edge, ly = threadIdx.x / edge;

  int x = blockIdx.x * edge + lx;
  int y = blockIdx.y * edge + ly;
  if (x < columns && y < rows) square[ly][lx] = in[y * columns + x];

  __syncthreads();

  x = blockIdx.x * edge + lx;
  y = blockIdx.y * edge + ly;
  if (x < rows && y < columns) out[y * rows + x] = square[lx][ly];
}

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows > 0 && columns > 0) {
    const dim3 grid((columns + edge - 1) / edge, (rows + edge - 1) / edge);
    transpose_kernel<<<grid, edge * edge>>>(in, out, rows, columns);
  }
}
