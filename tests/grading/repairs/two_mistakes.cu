

#include "diff.h"

namespace {

constexpr int block = 256;

__global__ void diff_kernel(const int* in, int* out, int n) {
  __shared__ int tile[block];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * block + tx;

  if (i < n) tile[tx] = in[i];

  if (i < n) {
    if (tx == 0) {
      out[i] = tile[0];  // no left neighbor in the tile
    } else {
      out[i] = tile[tx] - tile[tx - 1];
    }
  }
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n > 0) diff_kernel<<<(n + block - 1) / block, block>>>(in, out, n);
}
