// CAUSE: in the loop of the store the column of the tile is y in each turn, not k
// LINES: 23
// REPAIR: read s[x][k]
// GOOD HINT: Which column of the tile do you store in the second turn of the loop?
// SYMPTOM: three of four rows are wrong

#include "transpose.h"

namespace {

constexpr int edge = 32;
constexpr int height = 8;  // rows of threads: each moves four elements

__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float s[edge][edge + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  const int c0 = blockIdx.x * edge, r0 = blockIdx.y * edge;
  for (int k = y; k < edge; k += height) {
    if (r0 + k < rows && c0 + x < columns) s[k][x] = in[(r0 + k) * columns + c0 + x];
  }
  __syncthreads();
  for (int k = y; k < edge; k += height) {
    if (c0 + k < columns && r0 + x < rows) out[(c0 + k) * rows + r0 + x] = s[x][y];
  }
}

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows > 0 && columns > 0) {
    transpose_kernel<<<dim3((columns + edge - 1) / edge, (rows + edge - 1) / edge), dim3(edge, height)>>>(
        in, out, rows, columns);
  }
}
