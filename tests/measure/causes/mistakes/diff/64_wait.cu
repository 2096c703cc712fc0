// CAUSE: After the load only the threads of a warp wait for each other, but the first lane of a warp reads a slot that a thread of another warp fills.
// LINES: 25
// REPAIR: __syncthreads();
// SYMPTOM: Data race on the tile between neighboring warps; depending on the order of the threads differences 32, 64, 96 and so on are wrong or read from an unwritten slot.

#include "diff.h"

namespace {

constexpr int width = 128;

__device__ int left_of(const int* tile, const int* in, int tx, int i) {
  if (tx > 0) return tile[tx - 1];
  if (i > 0) return in[i - 1];
  return 0;
}

__global__ void diff_kernel(const int* in, int* out, int n) {
  __shared__ int tile[width];
  const int tx = threadIdx.x;
  const int i = tx + width * blockIdx.x;
  const bool mine = i < n;

  if (mine) tile[tx] = in[i];
  __syncwarp();
  if (mine) out[i] = tile[tx] - left_of(tile, in, tx, i);
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n > 0) {
    const int grid = (n - 1) / width + 1;
    diff_kernel<<<grid, width>>>(in, out, n);
  }
}
