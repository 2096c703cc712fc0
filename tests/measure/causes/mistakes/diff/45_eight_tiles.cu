// CAUSE: The block goes on to its next tile without waiting: fast threads overwrite slots that slower ones still need for this tile.
// LINES: 30
// REPAIR: line 30: `}` -> `__syncthreads(); }`
// SYMPTOM: A data race on the tile if a block has more than one tile; now and then single differences are wrong. With n <= 256 it is right.
#include "diff.h"

namespace {

constexpr int block = 256;
constexpr int tiles_each = 8;  // a block makes up to eight tiles

__global__ void diff_kernel(const int* in, int* out, int n) {
  __shared__ int tile[block];
  const int tx = threadIdx.x;

  for (int round = 0; round < tiles_each; ++round) {
    const int start = (blockIdx.x * tiles_each + round) * block;
    if (start >= n) break;  // the same for all threads
    const int i = start + tx;

    if (i < n) tile[tx] = in[i];
    __syncthreads();

    if (i == 0) {
      out[i] = tile[0];
    } else if (i < n) {
      const int left = tx == 0 ? in[i - 1] : tile[tx - 1];
      out[i] = tile[tx] - left;
    }
  }
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n == 0) return;
  const int share = block * tiles_each;
  const int blocks = n / share + (n % share != 0);
  diff_kernel<<<blocks, block>>>(in, out, n);
}
