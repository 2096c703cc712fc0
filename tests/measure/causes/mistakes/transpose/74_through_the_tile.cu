// CAUSE: Each thread stores the very element that it loaded. So the lanes of a warp, which are neighbors in a row of in, store into 32 different rows of out: the tile is of no use.
// LINES: 26 27
// REPAIR: const int orow = blockIdx.x * T + ty, ocol = blockIdx.y * T + tx; if (ocol < rows && orow < columns) out[orow * rows + ocol] = buf[tx][ty]; instead of the last if
// SYMPTOM: Results are right, but the stores are not coalesced: a warp's store touches 32 sectors instead of 4.
#include "transpose.h"

namespace {

constexpr int T = 32;

__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float buf[T][T + 1];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * T + ty;
  const int col = blockIdx.x * T + tx;

  // global -> shared
  if (row < rows && col < columns) {
    buf[ty][tx] = in[row * columns + col];
  }

  __syncthreads();

  // shared -> global
  if (row < rows && col < columns) {
    out[col * rows + row] = buf[ty][tx];
  }
}

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows * columns == 0) return;
  dim3 block(T, T);
  dim3 grid((columns - 1) / T + 1, (rows - 1) / T + 1);
  transpose_kernel<<<grid, block>>>(in, out, rows, columns);
}
