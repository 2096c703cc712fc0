// CAUSE: The tile got a spare row and not a spare column: its rows still have 32 words, so all elements of a column are still in one bank.
// LINES: 16
// REPAIR: line 16: `tile[block + 1][block]` -> `tile[block][block + 1]`
// GOOD HINT: The spare slots should move each row of the tile on by one bank. In which bank does row 1 of your tile begin?
// SYMPTOM: Right results, coalesced, but the read of a column takes 32 wavefronts: 33 wavefronts per 32 elements instead of 2.

// Lab `transpose`

#include "transpose.h"

namespace {

constexpr int block = 32;  // rows and columns of a tile, and of a block of threads

__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[block + 1][block];  // one more, against bank conflicts
  const int x = threadIdx.x, y = threadIdx.y;

  const int c = blockIdx.x * block + x;
  const int r = blockIdx.y * block + y;
  if (r < rows && c < columns) tile[y][x] = in[r * columns + c];

  __syncthreads();

  const int out_c = blockIdx.y * block + x;
  const int out_r = blockIdx.x * block + y;
  if (out_r < columns && out_c < rows) out[out_r * rows + out_c] = tile[x][y];
}

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  const dim3 threads(block, block);
  const dim3 blocks((columns + block - 1) / block, (rows + block - 1) / block);
  transpose_kernel<<<blocks, threads>>>(in, out, rows, columns);
}
