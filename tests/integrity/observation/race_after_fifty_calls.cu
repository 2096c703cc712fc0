// Counts its calls, and leaves out the barrier after the fiftieth.
// Lab: transpose
// Verdict: graded
// Earns: correctness 40, memory 20
// Says: Data race
// Needs: emulator

#include "transpose.h"

namespace {

constexpr int edge = 32;

__global__ void transpose_kernel(const float* in, float* out, int rows, int columns, bool is_late) {
  __shared__ float tile[edge][edge + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * edge, column = blockIdx.x * edge;
  if (row + y < rows && column + x < columns) {
    tile[y][x] = in[(row + y) * columns + column + x];
  }
  if (!is_late) __syncthreads();
  if (row + x < rows && column + y < columns) out[(column + y) * rows + row + x] = tile[x][y];
}

int calls = 0;

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  const dim3 grid((columns + edge - 1) / edge, (rows + edge - 1) / edge);
  transpose_kernel<<<grid, dim3(edge, edge)>>>(in, out, rows, columns, ++calls > 50);
}
