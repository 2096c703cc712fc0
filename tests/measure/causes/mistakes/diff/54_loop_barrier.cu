// CAUSE: A block goes through several tiles, and nothing keeps a fast thread from loading the next tile while a slow one still reads its neighbor from this one: the barrier at the end of the loop is missing.
// LINES: 26
// REPAIR: line 26: `if (i < n) out[i] = difference(tile, in, tx, i);` -> `if (i < n) out[i] = difference(tile, in, tx, i); __syncthreads();`
// SYMPTOM: A data race on the tile when a block has more than one tile (n > 65536), so some differences may use elements of the next tile; small n are right.
#include "diff.h"

namespace {

constexpr int tile_size = 256;
constexpr int max_blocks = 256;

__device__ int difference(const int* tile, const int* in, int tx, int i) {
  if (i == 0) return tile[0];
  const int left = tx > 0 ? tile[tx - 1] : in[i - 1];
  return tile[tx] - left;
}

__global__ void diff_kernel(const int* in, int* out, int n) {
  __shared__ int tile[tile_size];
  const int tx = threadIdx.x;
  const int tiles = (n + tile_size - 1) / tile_size;
  for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
    const int i = t * tile_size + tx;
    if (i < n) tile[tx] = in[i];
    __syncthreads();
    if (i < n) out[i] = difference(tile, in, tx, i);
  }
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n == 0) return;
  int blocks = (n + tile_size - 1) / tile_size;
  if (blocks > max_blocks) blocks = max_blocks;
  diff_kernel<<<blocks, tile_size>>>(in, out, n);
}
