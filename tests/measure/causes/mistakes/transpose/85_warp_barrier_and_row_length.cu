// CAUSE: Two mistakes. (1) __syncwarp() only makes the 32 threads of a warp wait for each other, but a column of the tile is filled by all warps of the block: it has to be __syncthreads(). (2) A row of `out` has `rows` elements, but the index of the store multiplies by `columns`.
// LINES: 24 30
// REPAIR: line 24: `__syncwarp();` -> `__syncthreads();`; line 30: `dst[(dst_y + j) * columns + dst_x] = block[x][y + j];` -> `dst[(dst_y + j) * rows + dst_x] = block[x][y + j];`
// SYMPTOM: A data race on the tile, and in matrices that are not square the elements land in the wrong place, some of them outside of `out`.

#include "transpose.h"

namespace {

constexpr int SIDE = 32;
constexpr int PER_THREAD = 4;

__global__ void transpose_kernel(const float* src, float* dst, int rows, int columns) {
  __shared__ float block[SIDE][SIDE + 1];
  const int x = threadIdx.x;
  const int y = threadIdx.y * PER_THREAD;  // four rows one below the other

  const int src_x = blockIdx.x * SIDE + x;
  const int src_y = blockIdx.y * SIDE + y;
  for (int j = 0; j < PER_THREAD; ++j)
    if (src_x < columns && src_y + j < rows)
      block[y + j][x] = src[(src_y + j) * columns + src_x];

  __syncwarp();

  const int dst_x = blockIdx.y * SIDE + x;
  const int dst_y = blockIdx.x * SIDE + y;
  for (int j = 0; j < PER_THREAD; ++j)
    if (dst_x < rows && dst_y + j < columns)
      dst[(dst_y + j) * columns + dst_x] = block[x][y + j];
}

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0) return;
  if (columns == 0) return;
  const dim3 grid((columns + SIDE - 1) / SIDE, (rows + SIDE - 1) / SIDE);
  const dim3 threads(SIDE, SIDE / PER_THREAD);
  transpose_kernel<<<grid, threads>>>(in, out, rows, columns);
}
