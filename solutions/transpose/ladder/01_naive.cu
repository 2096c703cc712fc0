// Step 1, the baseline: one thread per element. A warp reads 32 neighbors in a row of `in`, and
// writes them into 32 different rows of `out`.
//
// The load of a warp touches 4 sectors and uses all of their 128 bytes. Its store touches 32
// sectors and uses 4 bytes of each: 36 sectors where 8 would do, 4.5 bytes moved per byte asked
// for. L2 can put the other 28 bytes of a sector together if the warps that own them store before
// the sector is evicted. Those are the other rows of threads in the block, eight in this one: 8 *
// 4 bytes are just a sector.
// Even so, this takes eight times as long as a copy on an H200: L2 works on 32 sectors for each
// store of a warp, and on 4 for a coalesced one.
// Misses: memory

#include "transpose.h"

namespace {

constexpr int width = 32;
constexpr int height = 8;

__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  const int c = blockIdx.x * width + threadIdx.x;
  const int r = blockIdx.y * height + threadIdx.y;
  if (c < columns && r < rows) out[c * rows + r] = in[r * columns + c];
}

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  const dim3 grid((columns + width - 1) / width, (rows + height - 1) / height);
  transpose_kernel<<<grid, dim3(width, height)>>>(in, out, rows, columns);
}
