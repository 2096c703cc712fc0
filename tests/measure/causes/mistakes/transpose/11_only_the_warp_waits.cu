// CAUSE: __syncwarp() lets the lanes of a warp wait for each other, but a thread reads slots that other warps of the block fill, so the whole block has to wait.
// LINES: 23
// REPAIR: line 23: `__syncwarp` -> `__syncthreads`
// GOOD HINT: Each row of your tile is loaded by another warp. For whom does your barrier wait?
// SYMPTOM: A data race between warps: reads of slots that are not filled yet, wrong results in places that differ from run to run.

// Lab `transpose`: out[c * rows + r] = in[r * columns + c]

#include "transpose.h"

namespace {

constexpr int block = 32;

__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[block][block + 1];
  const int x = threadIdx.x, y = threadIdx.y;

  const int c = blockIdx.x * block + x;
  const int r = blockIdx.y * block + y;
  if (r < rows && c < columns) tile[y][x] = in[r * columns + c];

  __syncwarp();  // cheaper than a barrier for all

  const int out_c = blockIdx.y * block + x;
  const int out_r = blockIdx.x * block + y;
  if (out_r < columns && out_c < rows) out[out_r * rows + out_c] = tile[x][y];
}

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  const dim3 grid((columns + block - 1) / block, (rows + block - 1) / block);
  transpose_kernel<<<grid, dim3(block, block)>>>(in, out, rows, columns);
}
